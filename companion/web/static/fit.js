// Large words as large as fits: each `.fit` element tries its steps (rem) from the largest until it needs no more than two
// lines, breaks no single word, and the column does not overflow.

const done = new WeakMap();
let generation = 0;

// Measure everything anew: the fonts or the styles came.
export function refit() {
  generation += 1;
}

export function fit(host) {
  Array.from(host.querySelectorAll(".fit")).forEach((node) => {
    const box = node.closest(".column") || node.parentElement;
    const state =
      node.textContent +
      "|" +
      box.clientWidth +
      "x" +
      box.clientHeight +
      "|" +
      box.textContent.length +
      "|" +
      document.documentElement.lang +
      "|" +
      generation;
    if (done.get(node) === state) return;
    done.set(node, state);
    settle(node, box);
  });
}

function settle(node, box) {
  const phone = window.matchMedia("(max-width: 600px)").matches;
  const steps = node
    .getAttribute("data-steps")
    .split(" ")
    .map(Number)
    .map((s) => (phone ? s * (s > 5 ? 0.62 : 0.66) : s));
  for (let i = 0; i < steps.length; i += 1) {
    node.style.fontSize = steps[i] + "rem";
    node.style.setProperty("--step", steps[i]);
    const lines = Math.round(node.getBoundingClientRect().height / (parseFloat(getComputedStyle(node).lineHeight) || 1));
    const most = steps[i] >= 5 ? 1 : steps[i] > 2.6 ? 2 : 3;
    if (lines <= most && !breaks(node) && box.scrollHeight <= box.clientHeight + 1) return;
  }
}

// True when a single word is wider than the line it has.
function breaks(node) {
  const before = node.style.overflowWrap;
  node.style.overflowWrap = "normal";
  node.style.wordBreak = "normal";
  const wide = node.scrollWidth > node.clientWidth + 1;
  node.style.overflowWrap = before;
  node.style.wordBreak = "";
  return wide;
}
