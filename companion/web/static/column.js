// The column beside the window while people play: where we are, who or what, why, people, buttons.

import { h } from "./vtree.js";
import { badge } from "./people.js";
import { sign } from "./signs.js";
import { button, name, pips, roleLine, standings, textButton, where } from "./parts.js";
import { facesDown } from "./looks.js";
import { nameBlock } from "./naming.js";
import { questionCard } from "./question.js";
import { quoted, say, t } from "./words.js";

function undoWords(app) {
  const undo = app.board.undo;
  if (!undo) return null;
  const who = undo.seat !== null && undo.seat !== undefined && app.people[undo.seat] ? app.people[undo.seat].name : null;
  const what = app.hasWord("undo." + undo.what) ? t("undo." + undo.what) : t("undo.any");
  return who ? [h("bdi", {}, who), ", ", what] : what;
}

// Undo says what it undoes; Ledger; More.
export function footer(app, first) {
  if (app.watch) return null;
  const undo = undoWords(app);
  return [first ? h("p", { key: "first", class: "first" }, first) : null, h("footer", { key: "buttons", class: "buttons" },
    undo ? button("undo", t("undo"), () => app.command({ do: "undo" }), { sign: "undo", below: undo, cls: "undo" }) : null,
    button("ledger", t("ledger"), () => app.go("ledger"), { sign: "ledger", cls: "short", label: t("ledger") }),
    button("more", null, () => app.go("more"), { sign: "more", cls: "bare", label: t("more") }))];
}

function toast(app) {
  return app.ui.toast ? h("p", { key: "toast", class: "toast" }, say(app.ui.toast.key, app.ui.toast.params)) : null;
}

export function secretColumn(app) {
  const round = app.board.round;
  const daydreamer = app.people[round.daydreamer];
  const lookout = app.people[round.lookout];
  const seen = app.board.camera.state !== "off" && app.board.camera.state !== "stopped";
  return [where(app), h("div", { key: "head", class: "head" }, toast(app),
    h("h1", { key: "hand-over", class: "fit instruct", "data-steps": "4.25 3.5 3 2.5 2.125" }, say("secret.hand", { n: round.draw, to: lookout.name, from: daydreamer.name })),
    h("p", { class: "second" }, say(round.name ? "secret.then_named" : "secret.then", { n: round.draw, to: lookout.name, from: daydreamer.name })),
    nameBlock(app)),
  h("div", { key: "low", class: "low" },
    seen ? h("p", { class: "lid-line" }, sign("lid"), h("span", {}, h("strong", {}, t("secret.eye")), h("span", { class: "soft" }, say("secret.promise", { name: lookout.name })))) : null,
    roleLine(app.people, round.daydreamer, round.lookout)),
  footer(app, app.byHand && !app.watch ? button("laid", t("laid"), () => app.command({ do: "laid" }), { cls: "primary wide" }) : null)];
}

function asideWords(app) {
  const round = app.board.round;
  const n = round.tray.length;
  if (!n) return t("guess.point");
  return say(facesDown(app.board) ? "guess.point_down" : "guess.point_aside", { n: n, name: app.people[round.daydreamer].name });
}

function handRow(app) {
  if (!app.byHand || app.watch) return null;
  const round = app.board.round;
  const card = app.ui.picked;
  const what = (kind) => (card === null ? { do: kind } : { do: kind, card: card });
  return h("div", { key: "hand", class: "hand-row" },
    button("wrong", t("hand.wrong"), () => app.command(what("wrong")), { sign: "moon", cls: "answer", below: say("hand.wrong_below", { name: app.people[round.daydreamer].name }) }),
    button("right", t("hand.right"), () => app.command(what("right")), { sign: "sun", cls: "answer", below: app.people[round.turn] ? h("bdi", {}, app.people[round.turn].name) : null }));
}

export function guessColumn(app) {
  const round = app.board.round;
  const asking = app.board.question && app.ui.later !== app.board.question.id;
  if (asking) return questionColumn(app);
  const person = app.people[round.turn];
  const quiet = [];
  if (app.board.question) quiet.push(textButton("waits", t("question.waits"), () => app.set({ later: null })));
  if (!app.watch && !round.name && !app.ui.naming) quiet.push(textButton("naming", t("name.write"), () => app.set({ naming: true })));
  if (!app.watch && !["off", "stopped", "searching"].some((s) => s === app.board.camera.state)) quiet.push(textButton("byhand", t(app.ui.hand ? "hand.close" : "hand.open"), () => app.set({ hand: !app.ui.hand }), { open: app.ui.hand }));
  return [where(app), h("div", { key: "head", class: "head" }, toast(app),
    person ? h("h1", { key: "turn", class: "turn" }, h("span", { key: "who", class: "fit who", "data-steps": "8 6 5 4.25 3.4 3 2.6" }, name(person)), h("span", { class: "verb" }, t("guesses"))) : h("h1", { key: "wait", class: "fit", "data-steps": "4.25 3.4" }, t("guess.wait")),
    person ? pips(round) : null, nameBlock(app), h("p", { class: "soft do-now" }, asideWords(app)), handRow(app),
    quiet.length ? h("p", { class: "quiet" }, quiet) : null),
  h("div", { key: "low", class: "low" }, app.people.length <= 6 ? roleLine(app.people, round.daydreamer, round.lookout) : null, standings(app.people, round)),
  footer(app)];
}

function questionColumn(app) {
  const round = app.board.round;
  const person = app.people[round.turn];
  return [h("header", { key: "where", class: "where" }, h("p", { class: "round-line" }, person ? [h("strong", {}, say("question.turn", { name: person.name })), h("span", { class: "soft" }, " · " + t("attempt_small", { n: round.attempt, of: round.attempts }))] : h("strong", {}, t("round", { n: round.number, of: round.of }))), toast(app)),
    questionCard(app), footer(app)];
}

function otherLine(app, seat, gain) {
  const person = app.people[seat];
  const last = app.board.last;
  let why = "";
  const round = app.board.rounds.filter((r) => r.ending !== "open").pop();
  if (round && round.daydreamer === seat && gain > 0) why = t("result.kept", { n: gain });
  else if (round && round.lookout === seat && last.text_key === "right") why = t("result.found");
  else if (round && round.daydreamer === seat) why = t(last.text_key === "nobody" ? "result.unfound" : "result.no_wrong");
  return h("li", { key: person.name }, badge(person), h("span", {}, h("strong", {}, name(person), " ", gain > 0 ? "+" + gain : "0"), " ", h("span", { class: "soft" }, why)));
}

export function resultColumn(app) {
  const last = app.board.last;
  const round = app.board.rounds.filter((r) => r.ending !== "open").pop();
  const person = last && last.seat !== null ? app.people[last.seat] : null;
  const n = app.people.length;
  const others = {};
  if (last) last.others.forEach((o) => { others[o[0]] = o[1]; });
  const seats = round ? [round.daydreamer, round.lookout].filter((s) => last.seat !== s) : [];
  const right = (seat) => app.people[(seat - 1 + n) % n];
  return [where(app), h("div", { key: "head", class: "head" }, toast(app),
    person ? h("h1", { key: "gain", class: "fit gain", "data-steps": "6 4.25 3.5 3 2.5" }, name(person), " ", h("span", { class: "plus" }, "+" + last.gain)) : h("h1", { key: "void", class: "fit", "data-steps": "4.25 3.5 3" }, t("result.void")),
    h("p", { class: "second" }, person ? (last.text_key === "nobody" ? t("result.nobody") : t("right_at." + Math.max(1, Math.min(6, last.guess)))) : t("result.void_why")),
    round && round.name ? h("p", { class: "cloud-name" }, quoted(round.name)) : null),
  h("div", { key: "low", class: "low" }, person ? h("ul", { class: "others" }, seats.map((s) => otherLine(app, s, others[s] || 0))) : null,
    round && app.board.round.more > 0 ? h("div", { class: "next" }, h("p", { class: "soft" }, t("result.next")),
      h("p", { class: "next-roles" }, sign("moon"), h("span", { class: "unseen" }, t("role.daydreamer") + " "), h("strong", {}, name(right(round.daydreamer))), sign("telescope"), h("span", { class: "unseen" }, t("role.lookout") + " "), h("strong", {}, name(right(round.lookout))))) : null),
  footer(app, app.byHand && !app.watch ? button("next", t(app.board.round.more > 0 ? "next_round" : "to_the_end"), () => app.command({ do: "next" }), { cls: "primary wide" }) : null)];
}

function bestKept(board) {
  const kept = board.rounds.filter((r) => r.ending === "lookout" && r.name);
  const hard = board.rounds.filter((r) => r.ending === "claimed" && r.name).sort((a, b) => b.guesses.length - a.guesses.length);
  return kept[kept.length - 1] || hard[0] || null;
}

function sharing(people) {
  if (people.length === 1) return say("end.one", { name: people[0].name });
  const list = [];
  people.forEach((p, i) => { list.push(i === 0 ? "" : i === people.length - 1 ? t("end.and") : ", ", name(p)); });
  return say("end.many", { names: h("span", {}, list) });
}

export function overColumn(app) {
  const board = app.board;
  const winners = (board.winners || []).map((seat) => app.people[seat]).filter(Boolean);
  const best = bestKept(board);
  const taker = best ? app.people[best.ending === "lookout" ? best.lookout : best.claimer] : null;
  const left = board.leftover || 0;
  return [h("header", { key: "where", class: "where" }, h("p", { class: "round-line" }, h("strong", {}, t("end.over")), left ? h("span", { class: "soft" }, " · " + t("end.left", { n: left })) : null)),
    h("div", { key: "head", class: "head" }, toast(app), h("h1", { key: "winners", class: "fit instruct", "data-steps": "4.25 3.5 3 2.5 2" }, winners.length ? sharing(winners) : t("end.over")),
      winners.length ? h("p", { class: "second" }, t(winners.length > 1 ? "end.clouds_each" : "end.clouds", { n: winners[0].cards })) : null),
    h("div", { key: "low", class: "low" }, standings(app.people, null),
      best && taker ? h("div", { class: "best" }, h("p", { class: "soft" }, t("end.best")), h("p", { class: "cloud-name" }, quoted(best.name)),
        h("p", { class: "soft" }, say(best.ending === "lookout" ? "end.best_nobody" : "end.best_right", { name: taker.name, gain: best.gains[taker.seat], round: best.number, how: t("right_at." + Math.max(1, Math.min(6, best.guesses.length))) }))) : null),
    app.watch ? null : h("footer", { key: "buttons", class: "buttons" }, button("again", t("end.again"), () => app.command({ do: "rematch" }), { cls: "primary" }),
      button("ledger", t("ledger"), () => app.go("ledger"), { sign: "ledger", cls: "short", label: t("ledger") }),
      board.undo ? button("undo", null, () => app.command({ do: "undo" }), { sign: "undo", cls: "bare", label: t("undo") }) : null,
      button("more", null, () => app.go("more"), { sign: "more", cls: "bare", label: t("more") }))];
}

export function pausedColumn(app) {
  return [where(app), h("div", { key: "head", class: "head" }, toast(app), h("h1", { key: "paused", class: "fit instruct", "data-steps": "4.25 3.5 3" }, t("paused.title")), h("p", { class: "second" }, t("paused.why"))),
    h("div", { key: "low", class: "low" }, standings(app.people, app.board.round)),
    footer(app, app.watch ? null : button("resume", t("paused.resume"), () => app.command({ do: "resume" }), { cls: "primary wide" }))];
}
