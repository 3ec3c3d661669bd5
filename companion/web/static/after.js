// The column after a round and after the evening: who won what and why, who comes next, who has the sky; and the pause.

import { h } from "./vtree.js";
import { badge } from "./people.js";
import { outcome, shownRound } from "./consequence.js";
import { sign } from "./signs.js";
import { button, lastLine, name, standings, textButton, where } from "./parts.js";
import { footer, toast } from "./foot.js";
import { quoted, say, t } from "./words.js";

function otherLine(app, round, last, seat, gain) {
  const person = app.people[seat];
  let why = "";
  if (round && round.daydreamer === seat && gain > 0) why = t("result.kept", { n: gain });
  else if (round && round.lookout === seat && last.text_key === "right") why = t("result.found");
  else if (round && round.daydreamer === seat) why = t(last.text_key === "nobody" ? "result.unfound" : "result.no_wrong");
  return h(
    "li",
    { key: person.name },
    badge(person),
    h("span", {}, h("strong", {}, name(person), " ", gain > 0 ? "+" + gain : "0"), " ", h("span", { class: "soft" }, why))
  );
}

function nextRole(kind, key, person) {
  return h(
    "span",
    { key: key, class: "next-role" },
    sign(kind),
    h("span", { class: "unseen" }, t(key) + " "),
    h("strong", {}, name(person))
  );
}

// A result looked at again: which round it was.
function pastRound(app, round) {
  return h(
    "header",
    { key: "where", class: "where" },
    h(
      "p",
      { class: "round-line" },
      h("strong", {}, t("round", { n: round.number, of: app.board.round.of })),
      round.corrected ? h("span", { class: "soft" }, " · " + t("ledger.corrected")) : null
    )
  );
}

export function resultColumn(app) {
  const round = shownRound(app);
  const last = round ? outcome(round) : null;
  const again = app.ui.again !== null;
  const person = last && last.seat !== null ? app.people[last.seat] : null;
  const n = app.people.length;
  const others = {};
  if (last)
    last.others.forEach((o) => {
      others[o[0]] = o[1];
    });
  const seats = round ? [round.daydreamer, round.lookout].filter((s) => last.seat !== s) : [];
  const right = (seat) => app.people[(seat - 1 + n) % n];
  return [
    again ? pastRound(app, round) : where(app),
    h(
      "div",
      { key: "head", class: "head" },
      toast(app),
      person
        ? h(
            "h1",
            { key: "gain", class: "fit gain", "data-steps": "6 4.25 3.5 3 2.5" },
            name(person),
            " ",
            h("span", { class: "plus" }, "+" + last.gain)
          )
        : h("h1", { key: "void", class: "fit", "data-steps": "4.25 3.5 3" }, t("result.void")),
      h(
        "p",
        { class: "second" },
        person
          ? last.text_key === "nobody"
            ? t("result.nobody")
            : t("right_at." + Math.max(1, Math.min(6, last.guess)))
          : t("result.void_why")
      ),
      round && round.name ? h("p", { class: "cloud-name" }, quoted(round.name)) : null
    ),
    h(
      "div",
      { key: "low", class: "low" },
      person
        ? h(
            "ul",
            { class: "others" },
            seats.map((s) => otherLine(app, round, last, s, others[s] || 0))
          )
        : null,
      round && !again && app.board.round.more > 0
        ? h(
            "div",
            { class: "next" },
            h("p", { class: "soft" }, t("result.next")),
            h(
              "p",
              { class: "next-roles" },
              nextRole("moon", "role.daydreamer", right(round.daydreamer)),
              nextRole("telescope", "role.lookout", right(round.lookout))
            )
          )
        : null
    ),
    footer(
      app,
      again
        ? button("now", t("result.now"), () => app.set({ again: null }), { cls: "primary wide" })
        : app.byHand && !app.watch
        ? button("next", t(app.board.round.more > 0 ? "next_round" : "to_the_end"), () => app.command({ do: "next" }), {
            cls: "primary wide"
          })
        : null
    )
  ];
}

function bestKept(board) {
  const kept = board.rounds.filter((r) => r.ending === "lookout" && r.name);
  const hard = board.rounds.filter((r) => r.ending === "claimed" && r.name).sort((a, b) => b.guesses.length - a.guesses.length);
  return kept[kept.length - 1] || hard[0] || null;
}

function sharing(people) {
  if (people.length === 1) return say("end.one", { name: people[0].name });
  const list = [];
  people.forEach((p, i) => {
    list.push(i === 0 ? "" : i === people.length - 1 ? t("end.and") : ", ", name(p));
  });
  return say("end.many", { names: h("span", {}, list) });
}

export function overColumn(app) {
  const board = app.board;
  const winners = (board.winners || []).map((seat) => app.people[seat]).filter(Boolean);
  const best = bestKept(board);
  const taker = best ? app.people[best.ending === "lookout" ? best.lookout : best.claimer] : null;
  const left = board.leftover || 0;
  return [
    h(
      "header",
      { key: "where", class: "where" },
      h(
        "p",
        { class: "round-line" },
        h("strong", {}, t("end.over")),
        left ? h("span", { class: "soft" }, " · " + t("end.left", { n: left })) : null
      ),
      board.last ? h("p", { key: "last", class: "soft last-line" }, lastLine(app)) : null
    ),
    h(
      "div",
      { key: "head", class: "head" },
      toast(app),
      h(
        "h1",
        { key: "winners", class: "fit instruct", "data-steps": "4.25 3.5 3 2.5 2" },
        winners.length ? sharing(winners) : t("end.over")
      ),
      winners.length
        ? h("p", { class: "second" }, t(winners.length > 1 ? "end.clouds_each" : "end.clouds", { n: winners[0].cards }))
        : null
    ),
    h(
      "div",
      { key: "low", class: "low" },
      standings(app.people, null),
      best && taker
        ? h(
            "div",
            { class: "best" },
            h("p", { class: "soft" }, t("end.best")),
            h("p", { class: "cloud-name" }, quoted(best.name)),
            h(
              "p",
              { class: "soft" },
              say(best.ending === "lookout" ? "end.best_nobody" : "end.best_right", {
                name: taker.name,
                gain: best.gains[taker.seat],
                round: best.number,
                how: t("right_at." + Math.max(1, Math.min(6, best.guesses.length)))
              })
            )
          )
        : null
    ),
    h(
      "p",
      { key: "count", class: "quiet" },
      board.rounds.length ? textButton("pictures", t("pictures.title"), () => app.go("pictures")) : null,
      !app.watch && board.camera.state !== "off" ? textButton("piles", t("piles.title"), () => app.go("piles")) : null
    ),
    app.watch
      ? null
      : h(
          "footer",
          { key: "buttons", class: "buttons" },
          button("again", t("end.again"), () => app.command({ do: "rematch" }), { cls: "primary" }),
          button("ledger", null, () => app.go("ledger"), { sign: "ledger", cls: "bare", label: t("ledger") }),
          board.redo ? button("redo", t("redo"), () => app.command({ do: "redo" }), { sign: "redo", cls: "short" }) : null,
          board.undo
            ? button("undo", null, () => app.command({ do: "undo" }), { sign: "undo", cls: "bare", label: t("undo") })
            : null,
          button("more", null, () => app.go("more"), { sign: "more", cls: "bare", label: t("more") })
        )
  ];
}

export function pausedColumn(app) {
  return [
    where(app),
    h(
      "div",
      { key: "head", class: "head" },
      toast(app),
      h("h1", { key: "paused", class: "fit instruct", "data-steps": "4.25 3.5 3" }, t("paused.title")),
      h("p", { class: "second" }, t("paused.why"))
    ),
    h("div", { key: "low", class: "low" }, standings(app.people, app.board.round)),
    footer(
      app,
      app.watch ? null : button("resume", t("paused.resume"), () => app.command({ do: "resume" }), { cls: "primary wide" })
    )
  ];
}
