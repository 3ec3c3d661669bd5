// The expert's page: the whole lens from views of the printed test sheet, judged by two halves of the views, never by how
// small the residual is. The camera looks by itself; the sheet only needs to be held still.

import { h } from "./vtree.js";
import { button } from "./parts.js";
import { livePicture } from "./picture.js";
import { post } from "./link.js";
import { has, t } from "./words.js";

const AGAIN_MS = 700;

let looking = false;

function follow(app) {
  if (looking) return;
  looking = true;
  const next = () => {
    if (app.page() !== "expert" || app.watch) {
      looking = false;
      return;
    }
    if (document.hidden) {
      setTimeout(next, 1000);
      return;
    }
    post("/api/expert", "{}")
      .then((answer) => app.set({ expert: answer.status === 200 ? answer.body : { why: "game" } }))
      .catch(() => undefined)
      .then(() => setTimeout(next, AGAIN_MS));
  };
  setTimeout(next, 0);
}

// The picture in twelve parts: those that a view has reached are filled.
function cover(found) {
  return h(
    "svg",
    { class: "map", viewBox: "0 0 160 90", preserveAspectRatio: "none", "aria-hidden": "true" },
    (found.cover || []).map((reached, i) =>
      h("rect", { key: i, class: reached ? "reached" : "wanted", x: (i % 4) * 40 + 1, y: Math.floor(i / 4) * 30 + 1, width: 38, height: 28, rx: 3 })
    )
  );
}

function verdict(found) {
  if (found.accepted === undefined) return null;
  const px = found.halves_px === null ? "∞" : found.halves_px;
  return h(
    "div",
    { key: "verdict", class: "lens-verdict" },
    h("p", { class: "second" }, (found.accepted ? "✓ " : "✕ ") + t(found.accepted ? "expert.known" : "expert.lazy", { px: px })),
    h("p", { class: "soft" }, t("expert.residual", { px: found.rms_px })),
    h("img", { class: "residuals", src: found.residuals, alt: t("expert.residuals_alt") })
  );
}

export function expertPage(app) {
  follow(app);
  const found = app.ui.expert || { why: "moving", views: 0, wanted: 8, cover: [] };
  const why = has("expert.why." + found.why) ? t("expert.why." + found.why) : "";
  return [
    h(
      "main",
      { key: "expert", class: "sheet camera" },
      h(
        "header",
        { class: "sheet-head" },
        h("p", {}, h("strong", {}, t("expert.title"))),
        h("p", { class: "soft" }),
        button("back", t("expert.back"), () => app.go("camera"), { sign: "back", cls: "back" })
      ),
      h(
        "div",
        { class: "camera-two" },
        h("div", { key: "view", class: "view" }, h("div", { class: "frame" }, livePicture("big-live", 1280, "large", t("camera.alt")), cover(found))),
        h(
          "div",
          { key: "words", class: "camera-words" },
          h("h1", { class: "fit instruct", "data-steps": "3.5 3 2.5 2.125" }, t("expert.views", { n: found.views })),
          h("p", { class: "second" }, why),
          verdict(found) || h("p", { class: "soft" }, t("expert.how", { n: found.wanted || 8 })),
          h("p", { class: "soft" }, t("expert.needless")),
          h(
            "div",
            { class: "buttons" },
            button("expert-anew", t("expert.anew"), () => post("/api/expert/anew", "{}").then((answer) => answer.status === 200 && app.set({ expert: answer.body })))
          )
        )
      )
    )
  ];
}
