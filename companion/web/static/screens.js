// Screens: ask another one in by QR code (to watch, or to control), see who is in, send one away.

import { h } from "./vtree.js";
import { button, holdButton } from "./parts.js";
import { get, post } from "./link.js";
import { t } from "./words.js";

function load(app) {
  if (app.ui.devices !== null || app.watch) return;
  app.ui.devices = [];
  get("/api/devices")
    .then((answer) => app.set({ devices: answer.devices }))
    .catch(() => undefined);
}

function qr(rows) {
  const n = rows.length;
  let d = "";
  rows.forEach((row, y) =>
    row.split("").forEach((bit, x) => {
      if (bit === "1") d += "M" + x + " " + y + "h1v1h-1z";
    })
  );
  return h(
    "svg",
    { class: "qr", viewBox: "-4 -4 " + (n + 8) + " " + (n + 8), role: "img", "aria-label": t("screens.qr") },
    h("rect", { x: -4, y: -4, width: n + 8, height: n + 8, fill: "#fff" }),
    h("path", { d: d, fill: "#000" })
  );
}

function invite(app, role) {
  post("/api/invite", JSON.stringify({ role: role })).then((answer) => {
    if (answer.status === 200) app.set({ invite: Object.assign({ role: role }, answer.body) });
  });
}

function away(app, key) {
  post("/api/devices", JSON.stringify({ do: "revoke", key: key })).then((answer) => {
    if (answer.body.devices) app.set({ devices: answer.body.devices });
  });
}

export function screensPage(app) {
  load(app);
  const asked = app.ui.invite;
  return [
    h(
      "main",
      { key: "screens", class: "sheet screens" },
      h(
        "header",
        { class: "sheet-head" },
        h("h1", {}, t("screens.title")),
        h("p", { class: "soft" }, t("screens.how")),
        button(
          "back",
          t("back_to_table"),
          () => {
            app.ui.devices = null;
            app.set({ invite: null });
            app.go("");
          },
          { sign: "back", cls: "back" }
        )
      ),
      h(
        "div",
        { class: "two" },
        h(
          "section",
          { key: "ask" },
          h("h2", {}, t("screens.ask")),
          h(
            "p",
            { class: "pair" },
            button("watch", t("screens.watch"), () => invite(app, "watch"), { sign: "eye" }),
            button("control", t("screens.control"), () => invite(app, "control"), { sign: "hand" })
          ),
          asked
            ? h(
                "div",
                { class: "invited" },
                qr(asked.rows),
                h("p", {}, h("strong", {}, t(asked.role === "control" ? "screens.scan_control" : "screens.scan_watch"))),
                h("p", { class: "soft small address" }, asked.address),
                h("p", { class: "soft" }, t("screens.minutes", { n: asked.minutes }))
              )
            : h("p", { class: "soft" }, t("screens.tv"))
        ),
        h(
          "section",
          { key: "in" },
          h("h2", {}, t("screens.in")),
          h(
            "ul",
            { class: "device-list" },
            (app.ui.devices || []).map((d) =>
              h(
                "li",
                { key: d.key },
                h(
                  "span",
                  { class: "who" },
                  d.name,
                  d.key === app.me.key ? h("span", { class: "soft" }, " · " + t("screens.this")) : null
                ),
                h("span", { class: "soft" }, t(d.role === "control" ? "screens.role_control" : "screens.role_watch")),
                d.key === app.me.key ? null : holdButton("away-" + d.key, t("screens.away"), () => away(app, d.key))
              )
            )
          )
        )
      )
    )
  ];
}
