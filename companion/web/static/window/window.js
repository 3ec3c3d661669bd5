// The table as a round window: rim and seats, the sky by the hour, sun, moon, telescope, the clouds
// in their places.
//
// Draws one scene (a plain value, see scene.js) and knows nothing of commands. What moves keeps its
// element, so that the sun walks the rim and clouds travel by CSS; only transforms and opacities
// move.

import { html } from "../core/html.js";
import { tints } from "../parts/soft_clouds.js";
import { crescent, nearest, onRim, RIM, SKY, seatAngle } from "./geometry.js";
import { moons, roles, scores, seats, sun, walked } from "./rim.js";
import { cirrusAt, inkOnSky, mix, STARS, sky, skyGradient } from "./sky.js";

export function roundWindow(scene) {
  return html`
    <svg class="window" viewBox="-500 -500 1000 1000" role=${scene.label ? "img" : "group"}
      aria-label=${scene.label || scene.title}>
      ${definitions(scene)}
      <circle class="rim" r=${RIM} />
      <g class="sky" clip-path="url(#skyclip)">
        ${skies(scene)}
        <circle class="depth" r=${SKY} />
        ${ledge(scene)}
        <g class="places">${scene.empties}</g>
      </g>
      <g class="clouds">${scene.clouds}</g>
      <g class="spots">${scene.rings}</g>
      ${lid(scene)}
      <g class="sky-words">${scene.words}</g>
      ${handover(scene)}
      ${moons(scene)}
      ${sun(scene)}
      ${seats(scene)}
      ${roles(scene)}
      <g class="scores">${scores(scene)}</g>
    </svg>`;
}

function definitions(scene) {
  return html`
    <defs>
      <clipPath id="skyclip"><circle r=${SKY} /></clipPath>
      <radialGradient id="depth">
        <stop offset=".86" stop-color="#0B1236" stop-opacity="0" />
        <stop offset="1" stop-color="#0B1236" stop-opacity="0.26" />
      </radialGradient>
      <radialGradient id="glow">
        <stop offset=".3" class="glow-in" />
        <stop offset=".62" class="glow-mid" />
        <stop offset="1" class="glow-out" />
      </radialGradient>
      <radialGradient id="moonglow">
        <stop offset=".3" class="moonglow-in" />
        <stop offset="1" class="moonglow-out" />
      </radialGradient>
      <radialGradient id="shade">
        <stop offset=".66" stop-color="#0B1236" stop-opacity="0.42" />
        <stop offset="1" stop-color="#0B1236" stop-opacity="0" />
      </radialGradient>
      ${scene.hours.map((t) => skyGradient(skyId(t), t))}
      ${tints(scene.tints)}
    </defs>`;
}

function skyId(t) {
  return `sky-${Math.round(t * 1000)}`;
}

// The sky before this one stays beneath while the new one fades in, so nobody sees it move.
function skies(scene) {
  return scene.hours.map(
    (t, i) => html`
      <g key="s${skyId(t)}" class=${i > 0 ? "dawn" : null}>
        <circle r=${SKY + 2} fill="url(#${skyId(t)})" />
        <image href="/static/images/cirrus.webp" x=${-SKY} y=${-SKY} width=${2 * SKY} height=${2 * SKY}
          opacity=${cirrusAt(t)} preserveAspectRatio="xMidYMid slice" />
        ${t > 0.62 && stars(t)}
      </g>`
  );
}

function stars(t) {
  const star = ([x, y, size]) =>
    html`<circle cx=${x.toFixed(0)} cy=${y.toFixed(0)} r=${size.toFixed(1)} />`;
  return html`<g class="stars" opacity=${Math.min(1, (t - 0.62) * 4)}>${STARS.map(star)}</g>`;
}

// The moon's own ledge along the rim, where the Daydreamer's clouds lie.
function ledge(scene) {
  if (scene.daydreamer === null || scene.closed) return null;
  const at = nearest(walked.moon, seatAngle(scene.daydreamer, scene.people.length, scene.side));
  return html`
    <g class="ledge walks" style=${{ transform: `rotate(${at}deg)` }}>
      <path d=${crescent(scene.ledgeAway)} />
    </g>`;
}

const LASHES = [
  "M-168 -22L-198 24",
  "M-90 28L-108 74",
  "M-12 46L-18 96",
  "M72 46L78 96",
  "M146 24L166 68",
  "M212 -22L244 20",
];

// The eyelid that closes over the sky.
function lid(scene) {
  const colour = mix(scene.pageColour, sky(scene.t).top, scene.day ? 0.42 : 0.34);
  return html`
    <g clip-path="url(#skyclip)" class=${["lid", scene.closed && "closed"]}>
      <g class="lid-moves">
        <circle r=${SKY + 2} fill=${colour} />
        <g class="lash" transform="translate(-13 8) scale(.6)">
          <path d="M-210 -64Q22 126 254 -64" />
          ${LASHES.map((lash) => html`<path d=${lash} />`)}
        </g>
      </g>
    </g>`;
}

// The small stack on its way from the moon to the telescope.
function handover(scene) {
  if (!scene.handover) return null;
  const n = scene.people.length;
  const from = seatAngle(scene.daydreamer, n, scene.side);
  const seatsOn = (scene.daydreamer - scene.lookout + n) % n; // who left may sit between the two
  const turn = (360 * seatsOn) / n;
  const to = from - turn;
  const gap = Math.min(10, 60 / n);
  const short = turn < 90; // the small stack goes beside it
  const middle = onRim((from + to) / 2, short ? 236 : 300);
  const count = { x: middle.x > 0 ? -46 : 46, y: middle.y > 0 ? -46 : 46 }; // on the stack, off the way
  const at = (angle, radius) => {
    const place = onRim(angle, radius);
    return `${place.x.toFixed(1)} ${place.y.toFixed(1)}`;
  };
  const way = `M${at(from - gap, 300)}A300 300 0 ${turn - 2 * gap > 183 ? 1 : 0} 0 ${at(to + gap + 3, 300)}`;
  const tip = `translate(${at(to + gap, 300)}) rotate(${(to + gap - 90).toFixed(1)})`;
  const stack = `translate(${middle.x.toFixed(1)} ${middle.y.toFixed(1)})${short ? " scale(.76)" : ""}`;
  return html`
    <g key="handover" class="handover">
      <path class="way" d=${way} />
      <path class="way" d="M-32 -26L0 0L-32 26" transform=${tip} />
      <g transform=${stack}>
        <circle class="shade" r="70" cx="3" cy="6" />
        ${[10, 5, 0].map(
          (lower) => html`
            <g key="b${lower}" transform="translate(${-lower} ${lower})">
              <circle class="paper" r="56" />
              <circle class="back" r="53.4" />
            </g>`
        )}
        <path class="back-cloud"
          d="M-28 16H27A14 14 0 0 0 29 -13A18 18 0 0 0 -4 -23A14 14 0 0 0 -25 -12A14 14 0 0 0 -28 16Z" />
        <circle class="count" r="36" cx=${count.x} cy=${count.y} />
        <text class="count-text" x=${count.x} y=${count.y} dy=".35em" text-anchor="middle">${scene.handover}</text>
      </g>
    </g>`;
}

// A line of text on the sky (the opening question, seat names, "+4"), in the ink that reads on this
// hour.
export function skyText(key, text, place, size, more) {
  const { t = 0, cls, anchor = "middle" } = more || {};
  return html`
    <text key=${key} class=${["on-sky", cls]} x=${place.x} y=${place.y} dy=".34em" font-size=${size} fill=${inkOnSky(t)}
      text-anchor=${anchor}>
      ${text}
    </text>`;
}
