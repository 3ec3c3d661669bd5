// A scene: the plain value that the round window draws. Each phase makes its own from this one.

import { roundsOf } from "../core/evening.js";
import { t } from "../core/words.js";
import { PAGE_COLOURS } from "../screen/theme.js";
import { isPhone, screen } from "../screen/this_screen.js";
import { hour } from "./sky.js";

// True when a wrong guess stays in the middle with its face down.
export function isFaceDown(board) {
  return board.handling === "face-down" || (board.handling === "auto" && board.edition === "de");
}

// What every scene has, and what it is when the phase has nothing to say of it.
export function baseScene({ board, people }) {
  const { day, side } = screen.get();
  const { round } = board;
  const time = board.phase === "over" ? 1 : round ? hour(round.number, roundsOf(board)) : 0;
  return {
    title: t("window.title"),
    label: "", // what a screen reader says of it as one picture; without, it is a group of things to touch
    people,
    side: side % Math.max(1, people.length),
    phone: isPhone(),
    day,
    pageColour: PAGE_COLOURS[day ? "day" : "night"],
    t: time, // 0 the evening's first round, 1 its end
    hours: hoursFor(time),
    tints: [time], // the hours of clouds that nobody has named
    closed: false, // the lid is over the sky
    daydreamer: round ? round.daydreamer : null,
    lookout: round ? round.lookout : null,
    ledgeAway: isFaceDown(board) ? 34 : 112, // how wide the moon's ledge is
    sun: null, // the seat it stands at
    winners: [], // seats with a full moon
    scores: true,
    cloudsOf: (person) => person.cards, // the number beside a seat
    seatProps: null, // (person, i) => what touching a seat does
    highlight: null, // the one seat that is not dimmed
    dragged: null, // {seat, x, y} of a seat that follows a finger
    handover: null, // how many cards are on their way to the Lookout
    clouds: [],
    empties: [],
    rings: [],
    words: [],
  };
}

// A longer step is no passing of time: a new evening, or a round looked at again.
const LONGEST_STEP = 0.25;

// The hours drawn last: the sky before stays beneath this one, unless words inked for this one would
// stand on it.
let drawnHours = [];

export function hoursFor(time) {
  const before = drawnHours[drawnHours.length - 1];
  if (before === undefined || Math.abs(time - before) > LONGEST_STEP) drawnHours = [time];
  else if (before !== time) drawnHours = [before, time];
  return drawnHours;
}

// Clouds in the order of their keys, so that one that only moved keeps its element.
export function byKey(a, b) {
  return a.key < b.key ? -1 : 1;
}
