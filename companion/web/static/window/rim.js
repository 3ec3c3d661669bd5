// The rim of the window: seats with their shapes and scores, the sun, the moon and the telescope
// that walk along it.

import { html } from "../core/html.js";
import { token } from "../parts/people.js";
import { signAt } from "../parts/signs.js";
import { nearest, onRim, SEAT, seatAngle } from "./geometry.js";

// What stays between two drawings: where sun, moon and telescope stand.
export const walked = { sun: null, moon: null, telescope: null };

function angleOf(scene, seat) {
  return seatAngle(seat, scene.people.length, scene.side);
}

function isLit(scene, seat) {
  return scene.sun === seat || scene.winners.indexOf(seat) >= 0;
}

function rotated(angle) {
  return { transform: `rotate(${angle}deg)` };
}

export function sun(scene) {
  const there = scene.sun !== null;
  if (there) walked.sun = nearest(walked.sun, angleOf(scene, scene.sun));
  return html`
    <g class=${["sun walks", !there && "down"]} style=${rotated(walked.sun || 0)}>
      <circle class="glow" cx=${SEAT} r="165" />
      <circle class="disc" cx=${SEAT} r="62" />
    </g>`;
}

export function moons(scene) {
  const moon = (seat) => {
    const { x, y } = onRim(angleOf(scene, seat), SEAT);
    return html`
      <g key="moon${seat}" class="full-moon">
        <circle class="moonglow" cx=${x} cy=${y} r="165" />
        <circle class="moon-disc" cx=${x} cy=${y} r="62" />
      </g>`;
  };
  return html`<g class="moons">${scene.winners.map(moon)}</g>`;
}

export function seats(scene) {
  return html`<g class="seats">${scene.people.map((person, i) => seat(scene, person, i))}</g>`;
}

function seat(scene, person, i) {
  const { dragged, highlight } = scene;
  const place = dragged && dragged.seat === i ? dragged : onRim(angleOf(scene, i), SEAT);
  const classes = [
    "seat",
    isLit(scene, i) && "lit",
    person.away && "away",
    highlight !== null && highlight !== person.seat && "dim",
  ];
  return html`
    <g key="seat-${person.name}" class=${classes}
      style=${{ transform: `translate(${place.x.toFixed(1)}px,${place.y.toFixed(1)}px)` }}
      ...${scene.seatProps ? scene.seatProps(person, i) : {}}>
      <circle class="touch" r=${scene.phone ? 118 : 66} />
      ${token(person, 84)}
    </g>`;
}

// Along the rim from a seat: the score goes right or below, the sign left or above.
function sideOf(angle) {
  const { x, y } = onRim(angle + 90, 1);
  return Math.abs(x) > 0.3 ? (x > 0 ? 1 : -1) : y > 0 ? 1 : -1;
}

// The angle that an arc of `units` along the rim has.
function arc(units) {
  return (units * 57.3) / SEAT;
}

export function roles(scene) {
  return [role(scene, "moon", scene.daydreamer), role(scene, "telescope", scene.lookout)];
}

function role(scene, name, seat) {
  if (seat === null) return null;
  const angle = angleOf(scene, seat);
  const at = nearest(walked[name], angle - sideOf(angle) * arc(isLit(scene, seat) ? 100 : 82));
  walked[name] = at;
  return html`
    <g key="role-${name}" class="role walks" style=${rotated(at.toFixed(2))}>
      <g transform="translate(${SEAT} 0)">
        <g class="walks" style=${rotated((-at).toFixed(2))}>${signAt(name, 64)}</g>
      </g>
    </g>`;
}

export function scores(scene) {
  if (!scene.scores) return [];
  return scene.people.map((person, i) => {
    const angle = angleOf(scene, i);
    const lit = isLit(scene, i);
    const far = (lit ? 98 : 76) + (person.cards > 9 ? 12 : 0);
    const { x, y } = onRim(angle + sideOf(angle) * arc(far), SEAT + (lit ? 8 : 0));
    return html`
      <text key="score-${person.name}" class="score" x=${x.toFixed(1)} y=${y.toFixed(1)} dy=".34em" text-anchor="middle">
        ${scene.cloudsOf(person)}
      </text>`;
  });
}
