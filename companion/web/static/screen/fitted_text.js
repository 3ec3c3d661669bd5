// Large words as large as fits: each `.fit` element tries its steps (rem) from the largest until it
// needs no more than two lines, breaks no single word, and the column does not overflow.

import { isPhone } from "./this_screen.js";

const measured = new WeakMap();
let generation = 0;

// Measure everything anew: the fonts or the styles came.
export function forgetMeasures() {
  generation += 1;
}

export function fitText(host) {
  Array.from(host.querySelectorAll(".fit")).forEach((node) => {
    const box = node.closest(".column") || node.parentElement;
    const state = [
      node.textContent,
      box.clientWidth,
      box.clientHeight,
      box.textContent.length,
      document.documentElement.lang,
      generation,
    ].join("|");
    if (measured.get(node) === state) return;
    measured.set(node, state);
    fitStep(node, box);
  });
}

function fitStep(node, box) {
  const phone = isPhone();
  const steps = node.getAttribute("data-steps").split(" ").map(Number);
  const rems = phone ? steps.map((step) => step * (step > 5 ? 0.62 : 0.66)) : steps;
  rems.some((rem) => {
    node.style.fontSize = `${rem}rem`;
    const lineHeight = parseFloat(getComputedStyle(node).lineHeight) || 1;
    const lines = Math.round(node.getBoundingClientRect().height / lineHeight);
    const most = rem >= 5 ? 1 : rem > 2.6 ? 2 : 3;
    return lines <= most && !breaksWord(node) && box.scrollHeight <= box.clientHeight + 1;
  });
}

// True when a single word is wider than the line it has.
function breaksWord(node) {
  const before = node.style.overflowWrap;
  node.style.overflowWrap = "normal";
  node.style.wordBreak = "normal";
  const wide = node.scrollWidth > node.clientWidth + 1;
  node.style.overflowWrap = before;
  node.style.wordBreak = "";
  return wide;
}
