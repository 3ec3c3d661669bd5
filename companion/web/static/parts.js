// Parts that every page uses: buttons, the hold button, pips, the standings, the signs of roles, the ribbon.

import { h } from "./vtree.js";
import { badge } from "./people.js";
import { sign } from "./signs.js";
import { hour, sky } from "./sky.js";
import { say, t } from "./words.js";

export function name(person) {
  return h("bdi", { class: "name" }, person.name);
}

export function button(key, label, act, more) {
  const m = more || {};
  return h(
    "button",
    {
      key: key,
      type: "button",
      class: "button" + (m.cls ? " " + m.cls : ""),
      disabled: !!m.disabled,
      "aria-label": m.label || null,
      "aria-pressed": m.pressed === undefined ? null : String(m.pressed),
      on: { click: act }
    },
    m.drawn || (m.sign ? sign(m.sign) : null),
    label
      ? h(
          "span",
          { class: "label" },
          h("span", { class: "main" }, label),
          m.below ? h("span", { class: "below" }, m.below) : null
        )
      : null
  );
}

export function textButton(key, label, act, more) {
  return h(
    "button",
    {
      key: key,
      type: "button",
      class: "text-button" + (more && more.cls ? " " + more.cls : ""),
      "aria-expanded": more && more.open !== undefined ? String(more.open) : null,
      on: { click: act }
    },
    label
  );
}

// A button that asks for a steady finger: it fills in 900 ms; letting go empties it. Enter held does the same.
export function holdButton(key, label, act, more) {
  let timer = null;
  const start = (event, node) => {
    if (event.type === "keydown" && (event.repeat || (event.key !== "Enter" && event.key !== " "))) return;
    if (event.type === "keydown") event.preventDefault();
    node.classList.add("held");
    clearTimeout(node.__hold);
    node.__hold = setTimeout(() => {
      node.classList.remove("held");
      act();
    }, 900);
    timer = node.__hold;
  };
  const stop = (event, node) => {
    node.classList.remove("held");
    clearTimeout(node.__hold || timer);
  };
  return h(
    "button",
    {
      key: key,
      type: "button",
      class: "button hold " + ((more && more.cls) || ""),
      disabled: !!(more && more.disabled),
      on: {
        pointerdown: start,
        pointerup: stop,
        pointerleave: stop,
        pointercancel: stop,
        keydown: start,
        keyup: stop,
        blur: stop,
        contextmenu: (e) => e.preventDefault()
      }
    },
    h("span", { class: "fill" }),
    h("span", { class: "label" }, label)
  );
}

// The attempts of the round: past ones struck, the sun in place, coming ones open.
export function pips(round) {
  const list = [];
  for (let i = 1; i <= round.attempts; i += 1)
    list.push(h("i", { key: i, class: i < round.attempt ? "past" : i === round.attempt ? "now" : "" }));
  return h(
    "p",
    { class: "pips" },
    h("span", { class: "dots", "aria-hidden": "true" }, list),
    h("span", { class: "words" }, t("attempt", { n: round.attempt, of: round.attempts }))
  );
}

export function roleLine(people, daydreamer, lookout) {
  const one = (key, kind, seat) =>
    people[seat]
      ? h(
          "p",
          { key: key, class: "role-of" },
          sign(kind),
          h("span", {}, t("role." + key)),
          " ",
          h("strong", {}, name(people[seat]))
        )
      : null;
  return h("div", { class: "roles" }, one("daydreamer", "moon", daydreamer), one("lookout", "telescope", lookout));
}

// Everyone's clouds, most first; two columns, one with role signs from seven players on.
export function standings(people, round) {
  const order = people.slice().sort((a, b) => b.cards - a.cards || a.seat - b.seat);
  const many = people.length > 6;
  return h(
    "ul",
    { class: "standings" + (many ? " many" : "") },
    order.map((p) =>
      h(
        "li",
        { key: p.name, class: p.away ? "away" : null },
        badge(p),
        h("bdi", { class: Array.from(p.name).length > 14 ? "who long" : "who" }, p.name),
        many && round && round.daydreamer === p.seat
          ? h("span", { class: "role-sign" }, sign("moon"), h("span", { class: "unseen" }, t("role.daydreamer")))
          : null,
        many && round && round.lookout === p.seat
          ? h("span", { class: "role-sign" }, sign("telescope"), h("span", { class: "unseen" }, t("role.lookout")))
          : null,
        h("span", { class: "count" }, p.cards, h("span", { class: "unseen" }, " " + t("clouds.word", { n: p.cards })))
      )
    )
  );
}

// The rounds of the evening, one stripe of that hour's sky each.
export function ribbon(board) {
  const round = board.round;
  const of = round ? round.of : 13;
  const stripes = [];
  for (let i = 1; i <= of; i += 1) {
    const last = round && board.phase === "over" ? Math.max(1, board.rounds.length) : 0;
    const past = round && (last ? i < last : i < round.number);
    const now = round ? i === (last || round.number) : i === 1;
    stripes.push(
      h("i", { key: i, class: now ? "now" : past ? "past" : "", style: { "background-color": sky(hour(i, of)).ribbon } })
    );
  }
  return h("div", { class: "ribbon", "aria-hidden": "true" }, stripes);
}

// "Round 5 of 13 · 8 more to come", then what happened last or what needs a word.
export function where(app) {
  const board = app.board;
  const round = board.round;
  const lines = [
    h(
      "p",
      { key: "round", class: "round-line" },
      h("strong", {}, t("round", { n: round.number, of: round.of })),
      h("span", { class: "soft" }, " · " + (round.more > 0 ? t("more_to_come", { n: round.more }) : t("last_one")))
    )
  ];
  const note = notice(app);
  if (note) lines.push(h("p", { key: "note", class: "note" }, note));
  else if (board.last && board.phase !== "result" && board.phase !== "over") lines.push(h("p", { key: "last", class: "soft last-line" }, lastLine(app)));
  return h("header", { key: "where", class: "where" }, lines, practiceLine(app));
}

export function lastLine(app) {
  const last = app.board.last;
  if (!last || last.text_key === "void") return last ? t("last.void") : "";
  const person = app.people[last.seat];
  if (!person) return "";
  return say((app.phone ? "last.short_" : "last.") + last.text_key, {
    name: person.name,
    gain: last.gain,
    how: t("right_at." + Math.max(1, Math.min(6, last.guess || 1)))
  });
}

export function practiceLine(app) {
  if (!app.board.practice) return null;
  return h(
    "p",
    { key: "practice", class: "practice-line" },
    sign("eye"),
    h("span", {}, h("strong", {}, t("practice.title")), " ", h("span", { class: "soft" }, t("practice.why")))
  );
}

// The one thing that needs a word now: a lost line, a stopped camera, a covered card, too few cards.
export function notice(app) {
  if (!app.online) return say(app.board.camera.state === "off" ? "lost.by_hand" : "lost.camera");
  const camera = app.board.camera;
  const keys = (app.board.notices || []).map((n) => ({ key: n.key, params: n.params || {} }));
  if (camera.state === "stopped") keys.unshift({ key: "camera_stopped", params: {} });
  if (camera.state === "waiting") keys.push({ key: "camera_waiting", params: {} });
  if (camera.state === "searching") keys.push({ key: "camera_searching", params: {} });
  (camera.notices || []).forEach((text) => {
    const p = String(text).split(":");
    keys.push({ key: p[0], params: { card: p[1], n: Number(p[1]) } });
  });
  const first = keys.find((k) => app.hasWord("notice." + k.key));
  if (!first) return null;
  const params = Object.assign({}, first.params);
  if (params.seat !== undefined && app.people[params.seat]) params.name = app.people[params.seat].name;
  return say("notice." + first.key, params);
}
