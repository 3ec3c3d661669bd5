// Large words as large as fits: each `.fit` element tries its steps (rem) from the largest until it
// needs few lines, breaks no single word, and nothing overflows.
//
// In the column everything else gives way before the name does: while a step of `ROOM_REM` or more
// does not fit, the page is squeezed (data-squeeze="1", then "2": smaller verb, no line about the
// last round, no standings on a phone; see round.css); only then come the smaller steps.

import { isHandheld, isPhone } from "./this_screen.js";

const ROOM_REM = 4.25; // read from three metres
const SQUEEZES = 2;

const measured = new WeakMap();
let generation = 0;

// Measure everything anew: the fonts or the styles came.
export function forgetMeasures() {
  generation += 1;
}

export function fitText(host) {
  showWhatHasRoom(host);
  const boxes = [];
  Array.from(host.querySelectorAll(".fit")).forEach((node) => {
    const box = node.closest(".column") || node.parentElement;
    if (boxes.indexOf(box) < 0) boxes.push(box);
  });
  const page = host.firstChild;
  if (!boxes.some(isColumn)) page.removeAttribute("data-squeeze");
  boxes.forEach((box) => {
    const nodes = Array.from(box.querySelectorAll(".fit"));
    const state = [
      page.className,
      nodes.map((node) => node.textContent).join("|"),
      box.textContent.length,
      box.querySelectorAll("*").length,
      window.innerWidth,
      window.innerHeight,
      document.documentElement.lang,
      generation,
    ].join("|");
    if (measured.get(box) === state) return;
    measured.set(box, state);
    fitBox(page, box, nodes);
  });
}

// What may be spared is there whole or not at all: never half behind an edge.
function showWhatHasRoom(host) {
  Array.from(host.querySelectorAll(".spare")).forEach((node) => {
    const box = node.parentElement;
    node.hidden = false;
    node.hidden = box.scrollHeight > box.clientHeight + 1;
  });
}

function isColumn(box) {
  return box.classList.contains("column");
}

// The largest step that fits, squeezed as little as it needs; without any, the smallest. What a
// squeezed page has room for beyond that is the words' as well.
function fitBox(page, box, nodes) {
  const most = isColumn(box) ? SQUEEZES : 0;
  const squeezeTo = (squeeze) => {
    if (squeeze) page.setAttribute("data-squeeze", squeeze);
    else page.removeAttribute("data-squeeze");
  };
  if (most) squeezeTo(0);
  nodes.forEach((node) => {
    const steps = node.getAttribute("data-steps").split(" ").map(Number);
    const restore = breakNoWords(node);
    const hasItsLines = (step) => {
      node.style.fontSize = `${onThisScreen(step)}rem`;
      return fitsItsLines(node, onThisScreen(step));
    };
    const fits = (step) => hasItsLines(step) && !overflows(page, box);
    steps.some((step) => {
      if (!hasItsLines(step)) return false;
      const last = step > ROOM_REM ? 0 : most;
      for (let squeeze = 0; squeeze <= last; squeeze += 1) {
        if (most) squeezeTo(squeeze);
        if (!overflows(page, box)) return squeeze === 0 || steps.some(fits);
      }
      return false;
    });
    restore();
  });
}

// While steps are tried no word is broken, so that one layout tells both lines and width.
function breakNoWords(node) {
  const before = node.style.overflowWrap;
  node.style.overflowWrap = "normal";
  node.style.wordBreak = "normal";
  return () => {
    node.style.overflowWrap = before;
    node.style.wordBreak = "";
  };
}

// In few lines, and no single word wider than its line.
function fitsItsLines(node, rem) {
  const lineHeight = parseFloat(getComputedStyle(node).lineHeight) || 1;
  const lines = Math.round(node.getBoundingClientRect().height / lineHeight);
  return lines <= (rem >= 5 ? 1 : rem > 2.6 ? 2 : 3) && node.scrollWidth <= node.clientWidth + 1;
}

// Small screens are held in a hand: their steps are smaller.
function onThisScreen(step) {
  if (isPhone()) return step * (step > 5 ? 0.62 : 0.66);
  return isHandheld() ? Math.min(4, step * 0.66) : step;
}

// True when the box is too small for what it holds; where it grows with its content (upright), when
// the page does, but for set-up and end, which are long.
function overflows(page, box) {
  if (box.scrollHeight > box.clientHeight + 1) return true;
  if (!isColumn(box) || /phase-(setup|over)/.test(page.className)) return false;
  if (getComputedStyle(box).overflowY !== "visible") return false;
  return document.documentElement.scrollHeight > window.innerHeight;
}
