// The cloud's name: five words at most, typed by whoever likes to; left out without a fuss.

import { h } from "./vtree.js";
import { button } from "./parts.js";
import { quoted, t } from "./words.js";

export function nameBlock(app) {
  const round = app.board.round;
  if (app.ui.naming && !app.watch) return form(app, round.name || "");
  if (!round.name) return null;
  const text = h("p", { class: "cloud-name", key: "cloudname" }, quoted(round.name));
  return text;
}

function tooLong(words) {
  return words.trim().split(/\s+/).length > 5;
}

function form(app, before) {
  const submit = (event) => {
    event.preventDefault();
    const words = event.target.elements.words.value.trim();
    if (!words || tooLong(words)) return;
    app.command({ do: "name", words: words }).then((done) => {
      if (done) app.set({ naming: false });
    });
  };
  const check = (event) => {
    document.getElementById("five").classList.toggle("warn", tooLong(event.target.value));
  };
  return h(
    "form",
    { key: "nameform", class: "name-form", on: { submit: submit } },
    h("label", { for: "words", id: "five" }, t("name.five")),
    h(
      "div",
      { class: "name-line" },
      h("input", {
        id: "words",
        name: "words",
        class: "cloud-input",
        maxlength: 80,
        autocomplete: "off",
        autocapitalize: "off",
        enterkeyhint: "done",
        dir: "auto",
        on: {
          input: check,
          keydown: (e) => {
            if (e.key === "Escape") app.set({ naming: false });
          }
        },
        born: (node) => {
          node.value = before;
          node.focus();
        }
      }),
      h("button", { class: "button", type: "submit" }, h("span", { class: "label" }, t("name.keep")))
    ),
    null,
    button("noname", t("name.leave"), () => app.set({ naming: false }), { cls: "quiet-button" })
  );
}
