// An evening as a small sky: a cloud for each round, the first in the middle; the sky is that of the
// hour at which it ended.

import { html } from "../core/html.js";
import { cloud } from "../parts/cards.js";
import { tints } from "../parts/soft_clouds.js";
import { sunflower } from "../window/geometry.js";
import { hour, skyGradient } from "../window/sky.js";

const WHOLE_EVENING = 16; // rounds after which it is night

export function smallSky({ number, rounds, sky, deck }) {
  const id = `evening-${number}`;
  const t = hour(Math.min(rounds, WHOLE_EVENING), WHOLE_EVENING);
  const { size, places } = sunflower(Math.max(sky.length, 4));
  return html`
    <svg class="small-evening" viewBox="-380 -380 760 760" aria-hidden="true">
      <defs>${skyGradient(id, t)}${sky.some(([card]) => card === null) && tints([t])}</defs>
      <circle r="366" fill="url(#${id})" class="small-sky" />
      ${sky.map(([card, round], i) => cloud(`c${i}`, card, places[i], size * 1.04, { side: "small", shape: round * 3, t, deck }))}
    </svg>`;
}
