// What is drawn on the camera's picture: the table's outlines, how well each place is read, and
// where everybody sits.
//
// Points are [x, y] as shares of the picture; the drawing is 160 by 90.

import { html } from "../core/html.js";
import { badge } from "../parts/people.js";
import { screen } from "../screen/this_screen.js";
import { seatAngle } from "../window/geometry.js";

export function tableMap(report) {
  const places = report.places || [];
  const outlines = report.outlines || {}; // none where the table is not in view
  const frame = framing(report);
  return html`
    <svg class="map" viewBox="0 0 160 90" preserveAspectRatio="none" aria-hidden="true">
      ${outline(outlines.middle, frame, "middle-line", "middle")}
      ${outline(outlines.tray, frame, "tray-line", "tray")}
      ${(outlines.tokens || []).map((points, i) => outline(points, frame, "token-line", `token${i}`))}
      ${places.map((place, i) => placeMark(place, frame, i))}
    </svg>`;
}

// A picture that is not 16 to 9 stands in the frame with bars beside or above it: from its shares
// to the frame's.
function framing({ camera = {} }) {
  const wide =
    camera.width > 1 && camera.height > 1 ? (camera.width / camera.height) * (9 / 16) : 1;
  const across = Math.min(1, wide);
  const down = Math.min(1, 1 / wide);
  return ([x, y]) => [0.5 + (x - 0.5) * across, 0.5 + (y - 0.5) * down];
}

function outline(points, frame, cls, key) {
  if (!points || !points.length) return null;
  const corners = points
    .map(frame)
    .map(([x, y]) => `${(x * 160).toFixed(2)} ${(y * 90).toFixed(2)}`);
  const d = `M${corners.join("L")}Z`;
  return html`<g key=${key} class=${cls}><path class="under" d=${d} /><path class="over" d=${d} /></g>`;
}

// A place {x, y, reads, read}: `reads` is "yes", "sometimes" or "no", `read` that a card was read
// there already.
function placeMark(place, frame, key) {
  const [across, down] = frame([place.x, place.y]);
  const x = across * 160;
  const y = down * 90;
  if (place.reads === "no")
    return html`<path key=${key} class="reads-no" d="M${x - 2.6} ${y - 2.6}l5.2 5.2m0 -5.2l-5.2 5.2" />`;
  if (place.reads === "sometimes")
    return html`
      <g key=${key} class="reads-some">
        <circle cx=${x} cy=${y} r="3.2" />
        <path d="M${x} ${y - 2.2}a2.2 2.2 0 0 0 0 4.4z" />
      </g>`;
  return html`<circle key=${key} class=${["reads", place.read && "proved"]} cx=${x} cy=${y} r=${place.read ? 1.9 : 1.2} />`;
}

// Everybody's token about the table, as the round window shows them: on the frame's edge, where
// they hide nothing of the table.
export function seatTags(report, people) {
  const { rim } = report.outlines || {};
  if (!rim || rim.length < 8 || people.length < 2) return null;
  const frame = framing(report);
  const percent = (share) => `${(100 * share).toFixed(1)}%`;
  const side = screen.get().side % people.length;
  return people.map((person, i) => {
    const angle = (((seatAngle(i, people.length, side) - 90) % 360) + 360) % 360;
    const [x, y] = frame(rim[Math.round(angle / (360 / rim.length)) % rim.length]);
    const out = 0.5 / Math.max(Math.abs(x - 0.5), Math.abs(y - 0.5), 0.01);
    const style = { left: percent(0.5 + out * (x - 0.5)), top: percent(0.5 + out * (y - 0.5)) };
    return html`<span key="seat${i}" class="seat-tag" style=${style}>${badge(person)}<span class="unseen">${person.name}</span></span>`;
  });
}
