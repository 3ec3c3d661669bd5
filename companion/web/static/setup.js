// Set-up beside the ring: who else, which deck and rules, what the camera says. Under a minute.

import { h } from "./vtree.js";
import { badge, peopleOf } from "./people.js";
import { button, notice, textButton } from "./parts.js";
import { MOST, add, change, ring, same, tidy } from "./ring.js";
import { livePicture } from "./picture.js";
import { headline } from "./camera.js";
import { get } from "./link.js";
import { keep } from "./keep.js";
import { say, t } from "./words.js";

const EDITIONS = ["en", "de", "cs"];
const HANDLINGS = ["auto", "tray", "away", "face-down"];

export function setupColumn(app) {
  const set = ring(app);
  if (app.watch)
    return [
      h(
        "div",
        { key: "head", class: "head" },
        h("h1", { key: "watch", class: "fit instruct", "data-steps": "4.25 3.5 3" }, t("setup.watch_title")),
        h("p", { class: "second" }, t("setup.watch_why"))
      ),
      h("div", { key: "low", class: "low" })
    ];
  const few = set.names.length < 3;
  const ready = !few && set.first !== null;
  const head = few
    ? [t("setup.gather"), t("setup.gather_why")]
    : set.first === null
      ? [t("setup.who_begins"), t("setup.who_begins_why")]
      : [say("setup.begins", { name: set.first }), t("setup.begins_why")];
  return [
    h(
      "div",
      { key: "head", class: "head top" },
      h("h1", { key: "begins", class: "fit instruct", "data-steps": app.phone ? "4.25 3.5 3 2.5 2.125" : "3.5 3 2.5 2.125" }, head[0]),
      h("p", { class: "second soft" }, head[1]),
      app.ui.toast ? h("p", { class: "toast" }, say(app.ui.toast.key, app.ui.toast.params)) : null
    ),
    whoElse(app, set),
    settings(app, set),
    h(
      "footer",
      { key: "buttons", class: "buttons" },
      button("begin", t("setup.begin"), () => begin(app), { cls: "primary wide", disabled: !ready }),
      button("more", null, () => app.go("more"), { sign: "more", cls: "bare", label: t("more") })
    )
  ];
}

function begin(app) {
  const set = app.ui.setup;
  keep("edition", set.edition);
  keep("handling", set.handling);
  app.command({
    do: "begin",
    players: set.names,
    daydreamer: set.names.indexOf(set.first),
    edition: set.edition,
    deck_size: set.deck,
    handling: set.handling
  });
}

function whoElse(app, set) {
  const absent = set.known.filter((n) => !set.names.some((here) => same(here, n))).slice(0, 12);
  const shapes = peopleOf(
    set.names
      .concat(absent)
      .slice(0, MOST)
      .map((name) => ({ name: name }))
  );
  const full = set.names.length >= MOST;
  return h(
    "section",
    { key: "who", class: "who-else" },
    h("h2", { class: set.names.length ? null : "unseen" }, t(set.names.length ? "setup.who_else" : "setup.who")),
    full
      ? h("p", { class: "soft" }, t("setup.full"))
      : h(
          "div",
          { class: "chips" },
          absent.map((name) =>
            h(
              "button",
              { key: "chip-" + name, type: "button", class: "chip", on: { click: (event, node) => sit(app, name, node) } },
              shapes.some((s) => s.name === name) ? badge(shapes.find((s) => s.name === name)) : null,
              h("bdi", { class: "name" }, name)
            )
          ),
          set.adding
            ? newPlayer(app)
            : h(
                "button",
                { key: "new", type: "button", class: "chip", on: { click: () => change(app, { adding: true }) } },
                t("setup.new")
              )
        ),
    set.names.length && !set.adding ? h("p", { class: "soft hint" }, t("setup.drag")) : null
  );
}

// A known name is touched: it goes to the table, and the focus to the chip that takes its place.
function sit(app, name, node) {
  const next = node.nextElementSibling || node.previousElementSibling;
  add(app, name);
  refocus(next);
}

// Where the focus goes when what had it is gone: there, or to the first seat when the table is full.
function refocus(node) {
  const there = node && node.isConnected ? node : document.querySelector(".seat[role=button]");
  if (there) there.focus();
}

function newPlayer(app) {
  const submit = (event) => {
    event.preventDefault();
    const field = event.target.elements.player;
    const done = add(app, field.value, true);
    if (done === "added") field.value = "";
    else if (done === "twice") change(app, { twice: tidy(field.value) });
    refocus(field);
  };
  return h(
    "form",
    { key: "newform", class: "new-form", on: { submit: submit } },
    h("input", {
      name: "player",
      class: "player-input",
      "aria-label": t("setup.name"),
      placeholder: t("setup.name"),
      maxlength: 40,
      autocomplete: "off",
      enterkeyhint: "done",
      dir: "auto",
      "aria-describedby": app.ui.setup.twice === null ? null : "twice",
      born: (node) => node.focus(),
      on: {
        input: () => {
          if (app.ui.setup.twice !== null) change(app, { twice: null });
        },
        keydown: (e) => {
          if (e.key === "Escape") change(app, { adding: false, twice: null });
        }
      }
    }),
    h("button", { key: "add", type: "submit", class: "chip" }, t("setup.add")),
    app.ui.setup.twice === null
      ? null
      : h("p", { key: "twice", id: "twice", class: "note twice", role: "alert" }, say("setup.twice", { name: app.ui.setup.twice }))
  );
}

function choice(key, label, value, options, act) {
  return h(
    "div",
    { key: key, class: "row" },
    h("label", { for: "set-" + key }, label),
    h(
      "select",
      { id: "set-" + key, on: { change: (e) => act(e.target.value) } },
      options.map((o) => h("option", { key: o[0], value: o[0], selected: o[0] === value }, o[1]))
    )
  );
}

function settings(app, set) {
  const step = (by) => change(app, { deck: Math.max(8, Math.min(99, set.deck + by)) });
  return h(
    "section",
    { key: "settings", class: "settings" },
    h(
      "div",
      { key: "deck", class: "row" },
      h("span", { id: "deck-label" }, t("setup.deck")),
      h(
        "span",
        { class: "stepper", role: "group", "aria-labelledby": "deck-label" },
        h(
          "button",
          { type: "button", key: "less", class: "round", "aria-label": t("setup.fewer"), on: { click: () => step(-1) } },
          "−"
        ),
        h("strong", { key: "n", "aria-live": "polite" }, t("setup.clouds", { n: set.deck })),
        h(
          "button",
          { type: "button", key: "plus", class: "round", "aria-label": t("setup.more_cards"), on: { click: () => step(1) } },
          "+"
        )
      ),
      textButton("count", t("deck.title"), () => app.go("deck"))
    ),
    choice(
      "edition",
      t("setup.rules"),
      set.edition,
      EDITIONS.map((e) => [e, t("edition." + e)]),
      (value) => change(app, { edition: value })
    ),
    choice(
      "handling",
      t("setup.handling"),
      set.handling,
      HANDLINGS.map((k) => [k, t("handling." + k + (k === "auto" ? "_" + (set.edition === "de" ? "de" : "en") : ""))]),
      (value) => change(app, { handling: value })
    ),
    cameraRow(app)
  );
}

const LOOK_MS = 15000;
let lookedAt = 0;

// Now and then, while the table is set, the camera says how well it reads it.
function lookNow(app) {
  if (app.watch || app.board.practice || Date.now() - lookedAt < LOOK_MS) return;
  lookedAt = Date.now();
  get("/api/calibration").then(
    (answer) => app.set({ calibration: answer }),
    () => undefined
  );
  setTimeout(app.draw, LOOK_MS + 100);
}

function cameraRow(app) {
  const state = app.board.camera.state;
  const sees = state === "live" || state === "practice";
  const note = notice(app);
  const judged = sees && app.ui.calibration && app.ui.calibration.verdict ? headline(app) : null;
  if (state === "live") lookNow(app);
  return h(
    "a",
    { key: "camera", class: "camera-row", href: state === "waiting" ? "#lens" : "#camera" },
    sees ? livePicture("setup-live", 320, "small", "") : null,
    h(
      "span",
      {},
      h("strong", {}, judged ? judged[0] : t("camera." + state)),
      h(
        "span",
        { class: "soft" },
        note || (judged ? judged[1] : app.board.practice ? t("practice.why") : t("camera." + state + "_why"))
      )
    )
  );
}
