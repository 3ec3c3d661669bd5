// Clouds that nobody has named: eight soft silhouettes in the sky of their hour, for cards that are
// kept by touch and whose numbers nobody knows.

import { html } from "../core/html.js";
import { mix, sky, skyGradient } from "../window/sky.js";

// Each as its puffs: x, y, radius, around (0, 0) in a disc of radius 48.
// biome-ignore format: one silhouette a line
const PUFFS = [
  [[-20, 8, 11], [-7, -4, 15], [10, -1, 13], [22, 9, 9], [2, 11, 12]],
  [[-24, 10, 8], [-13, 3, 12], [0, -9, 13], [11, 4, 14], [24, 11, 8], [-1, 12, 11]],
  [[-16, 4, 14], [2, 7, 13], [15, -6, 11], [20, 9, 10], [-24, 12, 8]],
  [[-22, 0, 9], [-11, 8, 12], [4, 2, 15], [18, -7, 9], [21, 8, 11]],
  [[-15, -8, 10], [-19, 8, 11], [-3, 3, 15], [13, 9, 12], [25, 12, 7]],
  [[-25, 9, 9], [-10, 9, 11], [-3, -6, 11], [9, -11, 9], [10, 6, 14], [25, 10, 8]],
  [[-17, 9, 12], [-4, -1, 12], [9, -12, 10], [17, 0, 11], [8, 11, 12], [25, 11, 7]],
  [[-23, 6, 10], [-9, -5, 11], [5, 4, 14], [19, 2, 12], [-4, 12, 10]],
];

const SHAPES = PUFFS.map((puffs) =>
  puffs
    .map(([x, y, r]) => `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`)
    .join("")
);

function tintId(t) {
  return `tint-${Math.round(t * 1000)}`;
}

// The gradients that soft clouds of these hours are filled with; once in the page's definitions.
export function tints(hours) {
  const once = hours.filter((t, i) => hours.indexOf(t) === i);
  return once.map((t) => skyGradient(tintId(t), t));
}

// A disc of that hour's sky with silhouette `shape` in it, 95.6 units across.
export function softCloud(shape, t) {
  const { middle, bottom } = sky(t);
  const path = SHAPES[shape % SHAPES.length];
  return html`
    <circle r="47.8" fill="url(#${tintId(t)}) ${middle}" />
    <path d=${path} fill=${mix("#ffffff", bottom, 0.42)} transform="translate(0 4) scale(1.22)" />
    <path d=${path} fill=${mix("#ffffff", bottom, 0.1)} transform="translate(-1.5 -1) scale(1.1)" />`;
}
