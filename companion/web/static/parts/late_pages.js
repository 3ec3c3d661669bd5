// Pages that few open: the script of such a page is fetched when somebody opens it for the first
// time, so that the table itself is there sooner.

import { html } from "../core/html.js";
import { followPage } from "../core/route.js";
import { redraw } from "../core/store.js";
import { t } from "../core/words.js";
import { heading, page } from "./page.js";

const drawings = {}; // by page, once its script is here
const fetching = {}; // by script: under way or here
const failed = {}; // by script: the line to the table did not hold

// What draws the page `name` until `script` has come, and from then on what that brought.
export function latePage(name, script) {
  return (evening) => {
    if (drawings[name]) return drawings[name](evening);
    if (!failed[script]) fetchScript(script);
    const words = t(failed[script] ? "page.stays_away" : "page.comes");
    return page(
      "coming",
      heading(words),
      {},
      html`<p class="soft">${failed[script] && t("page.again")}</p>`
    );
  };
}

// A late script says what draws its pages: {name: what draws it}.
export function bringPages(pages) {
  Object.assign(drawings, pages);
  redraw();
}

function fetchScript(script) {
  if (fetching[script]) return;
  fetching[script] = true;
  const node = document.createElement("script");
  node.type = "module";
  node.src = `/static/${script}`;
  node.onerror = () => {
    node.remove();
    fetching[script] = false;
    failed[script] = true;
    redraw();
  };
  document.head.appendChild(node);
}

// Who opens the page again has it fetched again.
followPage(() => {
  Object.keys(failed).forEach((script) => {
    failed[script] = false;
  });
});
