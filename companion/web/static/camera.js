// The camera's page: its picture, how well it reads each place (good ones quiet, bad ones loud), one headline, what to do.

import { h } from "./vtree.js";
import { button, notice, textButton } from "./parts.js";
import { livePicture } from "./picture.js";
import { get } from "./link.js";
import { has, say, t } from "./words.js";

function look(app) {
  app.set({ calibration: { waiting: true } });
  get("/api/calibration")
    .then((answer) => app.set({ calibration: answer }))
    .catch(() => app.set({ calibration: {} }));
}

// A place on the picture: x, y from 0 to 1, reads "yes", "sometimes" or "no".
function mark(place, i) {
  const x = place.x * 160;
  const y = place.y * 90;
  if (place.reads === "no")
    return h("path", { key: i, class: "reads-no", d: "M" + (x - 3.4) + " " + (y - 3.4) + "l6.8 6.8m0 -6.8l-6.8 6.8" });
  if (place.reads === "sometimes")
    return h(
      "g",
      { key: i, class: "reads-some" },
      h("circle", { cx: x, cy: y, r: 4.2 }),
      h("path", { d: "M" + x + " " + (y - 3) + "a3 3 0 0 0 0 6z" })
    );
  return h("circle", { key: i, class: "reads", cx: x, cy: y, r: 1.3 });
}

// A piece of the table set in this language's words.
function spoken(params) {
  const piece = String((params && params.piece) || "").replace("token-", "");
  return Object.assign({}, params, has("piece." + piece) ? { piece: t("piece." + piece) } : {});
}

function problems(report) {
  return (report.problems || [])
    .filter((p) => p.key !== report.advice_key && has("advice." + p.key))
    .map((p, i) => h("p", { key: "problem" + i, class: "soft" }, t("advice." + p.key, spoken(p))));
}

function headline(app) {
  const state = app.board.camera.state;
  const report = app.ui.calibration || {};
  if (report.verdict && has("calibration." + report.verdict)) {
    const known = has("advice." + report.advice_key);
    return [t("calibration." + report.verdict), known ? t("advice." + report.advice_key, spoken(report.params)) : report.advice || ""];
  }
  if (report.headline) return [report.headline, report.advice || ""];
  if (app.board.practice) return [t("practice.title"), t("practice.why")];
  return [t("camera." + state), notice(app) || t("camera." + state + "_why")];
}

// The bought game's own card back, shown to the camera once; our printed back is known by its code.
function backLesson(app) {
  if (app.watch || app.board.practice || ["live", "closed"].indexOf(app.board.camera.state) < 0) return null;
  const told = (what) => () =>
    app.command({ do: what }).then((done) => {
      if (done) app.say("back." + what);
    });
  return h(
    "div",
    { key: "back", class: "back-lesson" },
    h("h2", {}, t("back.title")),
    h("p", { class: "soft" }, t("back.why")),
    h(
      "p",
      { class: "quiet" },
      textButton("learn", t("back.learn"), told("learn_back")),
      textButton("forget", t("back.forget"), told("forget_back"))
    )
  );
}

export function cameraPage(app) {
  const report = app.ui.calibration || {};
  const places = report.places || [];
  const words = headline(app);
  const count = (kind) => places.filter((p) => p.reads === kind).length;
  const shut = app.board.phase === "secret" && !app.board.practice;
  return [
    h(
      "main",
      { key: "camera", class: "sheet camera" },
      h(
        "header",
        { class: "sheet-head" },
        h("p", {}, h("strong", {}, t("camera.title"))),
        h("p", { class: "soft" }),
        button("back", t("back_to_table"), () => app.go(""), { cls: "back" })
      ),
      h(
        "div",
        { class: "camera-two" },
        h(
          "div",
          { key: "view", class: "view" + (shut ? " shut" : "") },
          h(
            "div",
            { class: "frame" },
            livePicture("big-live", 1280, "large", t("camera.alt")),
            places.length
              ? h(
                  "svg",
                  { class: "map", viewBox: "0 0 160 90", preserveAspectRatio: "none", "aria-hidden": "true" },
                  places.map(mark)
                )
              : null,
            shut ? h("p", { class: "shut-words" }, t("secret.eye")) : null
          ),
          places.length
            ? h(
                "p",
                { class: "legend" },
                h("span", { class: "key reads" }, t("calibration.reads")),
                h("span", { class: "key some" }, t("calibration.some")),
                h("span", { class: "key no" }, t("calibration.no"))
              )
            : null
        ),
        h(
          "div",
          { key: "words", class: "camera-words" },
          h("h1", { class: "fit instruct", "data-steps": "4.25 3.5 3 2.5 2.125" }, words[0]),
          h("p", { class: "second" }, words[1]),
          problems(report),
          places.length
            ? h(
                "p",
                { class: "soft" },
                say("calibration.figures", { n: count("yes"), all: places.length, some: count("sometimes"), no: count("no") })
              )
            : null,
          h(
            "p",
            { class: "soft" },
            app.board.camera.name ? h("bdi", {}, app.board.camera.name) : null,
            app.board.camera.tokens !== undefined && app.board.camera.state !== "off"
              ? " · " + t("camera.tokens", { n: app.board.camera.tokens })
              : null
          ),
          h(
            "div",
            { class: "buttons" },
            button("look", t(report.waiting ? "calibration.looking" : "calibration.look"), () => look(app), {
              disabled: !!report.waiting
            }),
            app.watch || app.board.practice ? null : button("lens", t("lens.title"), () => app.go("lens"), { sign: "eye" })
          ),
          backLesson(app)
        )
      )
    )
  ];
}
