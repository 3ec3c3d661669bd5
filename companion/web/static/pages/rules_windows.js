// A round as six small windows, drawn as the table draws it: for the rules, and for nobody's game.

import { cloud, emptyPlace } from "../parts/cards.js";
import { peopleOf } from "../parts/people.js";
import { PAGE_COLOURS } from "../screen/theme.js";
import { screen } from "../screen/this_screen.js";
import { gathered, onMoon, pushedApart, seatAngle, toUnits } from "../window/geometry.js";
import { roundWindow, skyText } from "../window/window.js";

const CARDS = [3, 17, 24, 31, 45]; // as many as a table of five deals
const NAMES = ["A", "B", "C", "D", "E"];
const [DAYDREAMER, FIRST, SECOND, , LOOKOUT] = [0, 1, 2, 3, 4];
const WRONG = 3; // the one of the cards that the first guess is about
const CLOUD = 166;
const MOON_CLOUD = 98;

function people() {
  return peopleOf(NAMES.map((name, seat) => ({ name, seat, sign: seat, cards: 0, away: false })));
}

// What every one of the six has, at the evening's hour `t`.
function still(t, changed) {
  const { day } = screen.get();
  return Object.assign(
    {
      title: "",
      label: "",
      people: people(),
      side: 0,
      phone: false,
      day,
      pageColour: PAGE_COLOURS[day ? "day" : "night"],
      t,
      hours: [t],
      tints: [t],
      closed: false,
      daydreamer: DAYDREAMER,
      lookout: LOOKOUT,
      ledgeAway: 112,
      sun: DAYDREAMER,
      winners: [],
      scores: false,
      seatProps: null,
      highlight: null,
      dragged: null,
      handover: null,
      clouds: [],
      empties: [],
      rings: [],
      words: [],
    },
    changed
  );
}

const angleOf = (seat) => seatAngle(seat, NAMES.length, 0);

function places() {
  const loose = CARDS.map((_card, i) => {
    const a = (2 * Math.PI * i) / CARDS.length;
    return toUnits({ x: 0.58 * Math.sin(a), y: -0.58 * Math.cos(a) }, 0);
  });
  const ledge = { angle: angleOf(DAYDREAMER), away: 112 };
  return pushedApart(
    loose,
    CLOUD,
    NAMES.map((_name, i) => angleOf(i)),
    ledge
  );
}

function lying(hidden) {
  const at = places();
  return CARDS.map(
    (card, i) => i !== hidden && cloud(`c${card}`, card, at[i], CLOUD, { deck: null })
  ).filter(Boolean);
}

// The wrong cloud: on the moon, or turned over where it lies.
function setAside(faceDown) {
  const at = places();
  if (faceDown) {
    const turned = cloud(`c${CARDS[WRONG]}`, CARDS[WRONG], at[WRONG], CLOUD, {
      side: "down",
      deck: null,
    });
    return { clouds: lying(WRONG).concat([turned]) };
  }
  const [moon] = onMoon(1, angleOf(DAYDREAMER));
  const put = cloud(`c${CARDS[WRONG]}`, CARDS[WRONG], moon, MOON_CLOUD, {
    side: "small",
    deck: null,
  });
  return { clouds: lying(WRONG).concat([put]), empties: [emptyPlace("e", at[WRONG], CLOUD)] };
}

function won(t) {
  const groups = [
    { seat: SECOND, own: CARDS.filter((_card, i) => i !== WRONG), angle: angleOf(SECOND) },
    { seat: DAYDREAMER, own: [CARDS[WRONG]], angle: angleOf(DAYDREAMER) },
  ].map((group) => Object.assign(group, { count: group.own.length }));
  const { size, places: at } = gathered(groups);
  const clouds = groups.map(({ own }, g) =>
    own.map((card, i) => cloud(`c${card}`, card, at[g][i], size, { side: "small", deck: null }))
  );
  const plus = skyText("plus", `+${CARDS.length - 1}`, { x: 0, y: -20 }, 150, { t, cls: "strong" });
  return { clouds: [].concat(...clouds), words: [plus], ledgeAway: 34 };
}

// The six scenes; `faceDown` where a wrong cloud is turned over in its place.
export function ruleWindows(faceDown) {
  return [
    still(0, { closed: true, handover: CARDS.length }),
    still(0.2, { closed: true, sun: LOOKOUT }),
    still(0.3, { clouds: lying(null) }),
    still(0.45, { clouds: lying(null), sun: FIRST }),
    still(0.55, Object.assign({ sun: SECOND }, setAside(faceDown))),
    still(0.66, Object.assign({ sun: SECOND }, won(0.66))),
  ].map(roundWindow);
}
