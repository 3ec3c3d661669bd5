// State that is drawn: a few fields that one component owns. Whoever changes them has the page
// drawn anew.

let drawPage = () => undefined;

// Called by main.js once: what draws the page.
export function drawWith(draw) {
  drawPage = draw;
}

export function redraw() {
  drawPage();
}

// A store of these fields: `get()` them, `set()` some of them and draw, `put()` some of them where
// a drawing comes anyway.
export function createStore(initial) {
  let fields = Object.assign({}, initial);
  const put = (changed) => {
    fields = Object.assign({}, fields, changed);
  };
  return {
    get: () => fields,
    put,
    set: (changed) => {
      put(changed);
      redraw();
    },
    // Only these fields, all others as at first.
    reset: (changed) => {
      fields = Object.assign({}, initial, changed);
      redraw();
    },
  };
}
