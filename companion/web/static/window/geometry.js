// Where seats and clouds lie in the window: pure geometry in the window's units (-500 to 500), no
// drawing.

export const SKY = 372;
export const RIM = 478;
export const SEAT = 425;
const SUN = 62;

// The angle of seat `i` of `n` on this screen: its own side at the bottom, clockwise as at the
// table.
export function seatAngle(i, n, side) {
  return 90 + (360 * (i - side)) / n;
}

export function onRim(angle, radius) {
  const a = (angle * Math.PI) / 180;
  return { x: Math.cos(a) * radius, y: Math.sin(a) * radius };
}

// The way round that is nearest: so the sun walks one seat, not seven back.
export function nearest(from, to) {
  if (from === null) return to;
  return to + 360 * Math.round((from - to) / 360);
}

// How large a cloud is drawn in the middle.
export function cloudSize(count) {
  if (count <= 6) return 166;
  return count <= 8 ? 146 : Math.max(84, 1250 / (count + 0.5));
}

// A crescent along the rim on the +x side: the sky's disc less a disc of radius 376 moved `away`
// units to the other side.
export function crescent(away) {
  const r = 376;
  const x = -(away * away + SKY * SKY - r * r) / (2 * away);
  const y = Math.sqrt(Math.max(0, SKY * SKY - x * x));
  const far = x < 0 ? 1 : 0;
  const near = x + away < 0 ? 1 : 0;
  const at = x.toFixed(1);
  const up = (-y).toFixed(1);
  const down = y.toFixed(1);
  return `M${at} ${up}A${SKY} ${SKY} 0 ${far} 1 ${at} ${down}A${r} ${r} 0 ${near} 0 ${at} ${up}Z`;
}

// Turn a point of the table (-1 to 1) to this screen's side and into units.
export function toUnits(place, turn) {
  const a = (turn * Math.PI) / 180;
  const x = place.x * 300;
  const y = place.y * 300;
  return { x: x * Math.cos(a) - y * Math.sin(a), y: x * Math.sin(a) + y * Math.cos(a) };
}

// Loose rows for cards whose places nobody saw.
export function grid(count) {
  const rows = count <= 3 ? 1 : count <= 6 ? 2 : 3;
  const per = Math.ceil(count / rows);
  const out = [];
  for (let i = 0; i < count; i += 1) {
    const row = Math.floor(i / per);
    const wide = Math.min(per, count - row * per);
    out.push({
      x: ((i % per) - (wide - 1) / 2) * 0.62,
      y: (row - (rows - 1) / 2) * 0.63 + 0.03 * Math.cos(i * 2),
      heading_deg: 0,
    });
  }
  return out;
}

// Push clouds apart until no two overlap and none touches a seat or leaves the sky; order and
// direction are kept. `points` in units, `seats` angles in degrees, `ledge` {angle, away} or null.
// Returns new points.
export function pushedApart(points, size, seats, ledge) {
  const reach = SKY - size / 2 - 8;
  const lit = ledge ? onRim(ledge.angle + 180, ledge.away) : { x: 0, y: 0 };
  const shift = ledge ? onRim(ledge.angle + 180, ledge.away > 60 ? 52 : 14) : { x: 0, y: 0 };
  const tokens = seats.map((angle) => onRim(angle, SEAT));
  const out = points.map((p) => ({ x: p.x + shift.x, y: p.y + shift.y }));
  for (let step = 0; step < 120; step += 1) {
    let moved = 0;
    for (let i = 0; i < out.length; i += 1) {
      for (let j = i + 1; j < out.length; j += 1)
        moved += pushApart(out[i], out[j], size + 12, i + j);
    }
    out.forEach((p) => {
      moved += pullWithin(p, { x: 0, y: 0 }, reach);
      if (ledge && ledge.away > 60) moved += pullWithin(p, lit, 376 - size / 2 + 4);
      tokens.forEach((seat) => {
        moved += pushAway(p, seat, size / 2 + SUN - 2);
      });
    });
    if (moved < 0.5) break;
  }
  return out;
}

function pushApart(a, b, least, salt) {
  let dx = b.x - a.x;
  let dy = b.y - a.y;
  let d = Math.sqrt(dx * dx + dy * dy);
  if (d >= least) return 0;
  if (d < 1) {
    dx = Math.cos(salt * 2.4);
    dy = Math.sin(salt * 2.4);
    d = 1;
  }
  const push = (least - d) / 2 / d;
  a.x -= dx * push;
  a.y -= dy * push;
  b.x += dx * push;
  b.y += dy * push;
  return least - d;
}

function pullWithin(p, centre, reach) {
  const dx = p.x - centre.x;
  const dy = p.y - centre.y;
  const d = Math.sqrt(dx * dx + dy * dy);
  if (d <= reach) return 0;
  p.x = centre.x + (dx / d) * reach;
  p.y = centre.y + (dy / d) * reach;
  return (d - reach) * 0.3;
}

function pushAway(p, seat, least) {
  const dx = p.x - seat.x;
  const dy = p.y - seat.y;
  const d = Math.sqrt(dx * dx + dy * dy) || 1;
  if (d >= least) return 0;
  p.x = seat.x + (dx / d) * least;
  p.y = seat.y + (dy / d) * least;
  return (least - d) * 0.3;
}

// Places on the moon: along the rim before the Daydreamer, 21 degrees apart (16 from the fifth on).
export function onMoon(count, angle) {
  const step = count >= 5 ? 16 : 21;
  const out = [];
  for (let i = 0; i < count; i += 1) out.push(onRim(angle + (i - (count - 1) / 2) * step, 322));
  return out;
}

// Clouds gathered before the seats they went to. `groups` = [{angle, count}]; neighbours are turned
// until they part.
export function gathered(groups) {
  const total = groups.reduce((sum, g) => sum + g.count, 0);
  const size = total > 6 ? 104 : 120;
  const step = total > 6 ? 23.5 : 27;
  const centres = groups.map((g) => g.angle);
  if (groups.length === 2) {
    const half = ((groups[0].count + groups[1].count) * step) / 2 + 12;
    let gap = ((((centres[1] - centres[0]) % 360) + 540) % 360) - 180;
    const sign = gap < 0 ? -1 : 1;
    gap = Math.abs(gap);
    if (gap < half) {
      centres[0] -= (sign * (half - gap)) / 2;
      centres[1] += (sign * (half - gap)) / 2;
    }
  }
  return {
    size,
    centres,
    places: groups.map((g, k) => {
      const list = [];
      for (let i = 0; i < g.count; i += 1)
        list.push(onRim(centres[k] + (i - (g.count - 1) / 2) * step, total > 6 ? 276 : 261));
      return list;
    }),
  };
}

// The evening as a sunflower: cloud k at 137.5 degrees from the last, the farther out the later.
export function sunflower(count) {
  const c = Math.min(60, 334 / Math.sqrt(Math.max(count, 1)));
  const size = Math.min(110, c * 1.76);
  const list = [];
  for (let k = 0; k < count; k += 1) {
    const r = c * Math.sqrt(k + 0.35);
    list.push(onRim(k * 137.508, r));
  }
  return { size, places: list };
}
