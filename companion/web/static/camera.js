// The camera's page: its picture with the table drawn on it, how well it reads each place (good ones quiet, bad ones loud),
// one headline, one advice, what is still to do. It looks again by itself for as long as it is open.

import { h } from "./vtree.js";
import { button, notice, textButton } from "./parts.js";
import { livePicture } from "./picture.js";
import { get } from "./link.js";
import { has, say, t } from "./words.js";
import { seatAngle } from "./people.js";

const EVERY_MS = 1300;

let looking = false;

// Ask for the report, and again a moment later, until another page is shown.
function keepLooking(app) {
  if (looking) return;
  looking = true;
  const next = () => {
    if (app.page() !== "camera") {
      looking = false;
      return;
    }
    if (document.hidden) {
      setTimeout(next, EVERY_MS);
      return;
    }
    get("/api/calibration")
      .then((answer) => app.set({ calibration: answer }))
      .catch(() => app.set({ calibration: {} }))
      .then(() => setTimeout(next, EVERY_MS));
  };
  setTimeout(next, 0);
}

// A picture that is not 16 to 9 stands in the frame with bars beside or above it: from its shares to the frame's.
function framing(report) {
  const camera = report.camera || {};
  const wide = camera.width > 1 && camera.height > 1 ? (camera.width / camera.height) * (9 / 16) : 1;
  const across = Math.min(1, wide);
  const down = Math.min(1, 1 / wide);
  return (point) => [0.5 + (point[0] - 0.5) * across, 0.5 + (point[1] - 0.5) * down];
}

// A place on the picture: x, y from 0 to 1, reads "yes", "sometimes" or "no".
function mark(place, at, i) {
  const [x, y] = [at([place.x, place.y])[0] * 160, at([place.x, place.y])[1] * 90];
  if (place.reads === "no")
    return h("path", { key: i, class: "reads-no", d: "M" + (x - 2.6) + " " + (y - 2.6) + "l5.2 5.2m0 -5.2l-5.2 5.2" });
  if (place.reads === "sometimes")
    return h(
      "g",
      { key: i, class: "reads-some" },
      h("circle", { cx: x, cy: y, r: 3.2 }),
      h("path", { d: "M" + x + " " + (y - 2.2) + "a2.2 2.2 0 0 0 0 4.4z" })
    );
  return h("circle", { key: i, class: "reads" + (place.read ? " proved" : ""), cx: x, cy: y, r: place.read ? 1.9 : 1.2 });
}

// A closed line of [x, y] shares as a path.
function line(points, at, cls, key) {
  if (!points || !points.length) return null;
  const d = points.map(at).map((p, i) => (i ? "L" : "M") + (p[0] * 160).toFixed(2) + " " + (p[1] * 90).toFixed(2)).join("") + "Z";
  return h("g", { key: key, class: cls }, h("path", { class: "under", d: d }), h("path", { class: "over", d: d }));
}

function drawing(report) {
  const lines = report.outlines || {};
  const at = framing(report);
  return h(
    "svg",
    { class: "map", viewBox: "0 0 160 90", preserveAspectRatio: "none", "aria-hidden": "true" },
    line(lines.middle, at, "middle-line", "middle"),
    line(lines.tray, at, "tray-line", "tray"),
    (lines.tokens || []).map((points, i) => line(points, at, "token-line", "token" + i)),
    (report.places || []).map((place, i) => mark(place, at, i))
  );
}

// Everybody's seat about the table, as the round window shows them; near the picture's edge they stay inside.
function seats(app, report) {
  const rim = (report.outlines || {}).rim;
  if (!rim || rim.length < 8 || app.people.length < 2) return null;
  const place = framing(report);
  const inside = (v, rim) => Math.min(1 - rim, Math.max(rim, v));
  return app.people.map((person, i) => {
    const angle = seatAngle(i, app.people.length, app.side % app.people.length);
    const at = place(rim[Math.round(((((angle - 90) % 360) + 360) % 360) / (360 / rim.length)) % rim.length]);
    const style = { left: 100 * inside(at[0], 0.06) + "%", top: 100 * inside(at[1], 0.08) + "%" };
    return h("span", { key: "seat" + i, class: "seat-tag", style: style }, h("bdi", {}, person.name));
  });
}

// A piece of the table set, and a place of the picture, in this language's words.
function spoken(params) {
  const piece = String((params && params.piece) || "").replace("token-", "");
  const where = String((params && params.where) || "").replace(" ", "-");
  return Object.assign(
    {},
    params,
    has("piece." + piece) ? { piece: t("piece." + piece) } : {},
    has("piece." + where) ? { where: t("piece." + where) } : {}
  );
}

function problems(report) {
  return (report.problems || [])
    .filter((p, i, all) => p.key !== report.advice_key && has("advice." + p.key) && all.findIndex((q) => q.key === p.key) === i)
    .slice(0, 3)
    .map((p, i) => h("p", { key: "problem" + i, class: "soft" }, t("advice." + p.key, spoken(p.params))));
}

// What the camera makes of the table, in one line and one piece of advice.
export function headline(app) {
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

// What a good set-up needs, each with its sign and its words.
function steps(report) {
  if (!report.verdict) return null;
  const seen = (report.tokens || []).filter((token) => token.seen).length;
  const places = report.places || [];
  const yes = places.filter((p) => p.reads === "yes").length;
  const read = places.filter((p) => p.read).length;
  const step = (key, done, words) =>
    h("li", { key: key, class: done ? "done" : "todo" }, h("span", { class: "tick", "aria-hidden": "true" }, done ? "✓" : "○"), h("span", {}, words));
  return h(
    "ul",
    { key: "steps", class: "set-up-steps" },
    step("tokens", seen === 4, t("set_up.tokens", { n: seen })),
    step("places", places.length > 0 && yes === places.length, t("set_up.places", { n: yes, all: places.length })),
    step("slide", read >= 9, t("set_up.slide", { n: read }))
  );
}

// The camera's own words: size, pictures a second, what is locked.
function granted(app, report) {
  const camera = report.camera || {};
  const mode = camera.mode || {};
  const parts = [];
  if (camera.width > 1) parts.push(camera.width + " × " + camera.height);
  if (mode.fps || camera.fps) parts.push(t("set_up.fps", { n: Math.round(mode.fps || camera.fps) }));
  if (mode.fourcc) parts.push(mode.fourcc);
  if (mode.mains_hz) parts.push(mode.mains_hz + " Hz");
  if (mode.locked && mode.locked.length)
    parts.push(t("set_up.locked", { what: mode.locked.map((one) => t("set_up.lock." + one.replace(" ", "_"))).join(", ") }));
  return h(
    "p",
    { key: "granted", class: "soft" },
    app.board.camera.name ? h("bdi", {}, app.board.camera.name) : null,
    parts.length ? (app.board.camera.name ? " · " : "") + parts.join(" · ") : null,
    app.board.camera.tokens !== undefined && app.board.camera.state !== "off" && !report.verdict
      ? " · " + t("camera.tokens", { n: app.board.camera.tokens })
      : null
  );
}

function lastTime(report) {
  const last = report.last;
  if (!last || !has("last." + last.key)) return null;
  return h("p", { key: "last", class: last.same ? "same-as-last" : "soft" }, (last.same ? "✓ " : "") + t("last." + last.key));
}

/** True while a picture of the table shows nobody's secret; the server sends none at other times. */
function open(board) {
  const newest = board.rounds[board.rounds.length - 1];
  const lies = newest && newest.ending === "open" && !(board.question && board.question.round === newest.number);
  return board.practice || ["setup", "over"].includes(board.phase) || Boolean(lies);
}

export function cameraPage(app) {
  keepLooking(app);
  const report = app.ui.calibration || {};
  const places = report.places || [];
  const words = headline(app);
  const shut = !open(app.board);
  const play = report.verdict === "ready" ? t("set_up.play") : t("set_up.anyway");
  return [
    h(
      "main",
      { key: "camera", class: "sheet camera" },
      h(
        "header",
        { class: "sheet-head" },
        h("p", {}, h("strong", {}, t("camera.title"))),
        h("p", { class: "soft" }),
        button("back", t("back_to_table"), () => app.go(""), { sign: "back", cls: "back" })
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
            report.verdict && !shut ? drawing(report) : null,
            report.verdict && !shut ? seats(app, report) : null,
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
          lastTime(report),
          steps(report),
          problems(report),
          granted(app, report),
          h(
            "div",
            { class: "buttons" },
            button("play-anyway", play, () => app.go(""), { cls: report.verdict === "ready" ? "primary" : "" }),
            app.watch || app.board.practice ? null : button("lens", t("lens.title"), () => app.go("lens"), { sign: "eye" })
          ),
          backLesson(app),
          app.watch || app.board.practice
            ? null
            : h("p", { key: "expert", class: "quiet" }, textButton("expert-open", t("expert.title"), () => app.go("expert")))
        )
      )
    )
  ];
}
