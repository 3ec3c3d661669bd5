// Soft sounds, off by default: entered = a wooden tick, please look = two notes of a glass bowl,
// secret = a breath of wind, end = a far bell. Nothing for a wrong guess; 200 ms of silence between
// two.
//
// Each sound is a function of the moment (audio seconds) it begins at; it returns how many seconds
// it takes.

import { onScoreboard } from "../core/evening.js";
import { recall } from "../core/storage.js";

let context = null;
let freeAtS = 0;

export function soundsOn() {
  return recall("sound", "off") === "on";
}

onScoreboard((before, now) => {
  if (!before || !soundsOn()) return;
  if (now.question && (!before.question || before.question.id !== now.question.id))
    playSound("look");
  else if (before.phase !== now.phase && PHASE_SOUNDS[now.phase])
    playSound(PHASE_SOUNDS[now.phase]);
});

const PHASE_SOUNDS = { secret: "secret", over: "end", result: "entered" };

export function playSound(kind) {
  const Audio = window.AudioContext || window.webkitAudioContext;
  if (!Audio) return;
  context = context || new Audio();
  if (context.state === "suspended") context.resume();
  const at = Math.max(context.currentTime + 0.01, freeAtS);
  freeAtS = at + SOUNDS[kind](at) + 0.2;
}

const SOUNDS = {
  entered: (at) => {
    tone(at, 520, 0.07, 0.09, "triangle");
    tone(at, 180, 0.06, 0.12, "sine");
    return 0.1;
  },
  look: (at) => {
    bowl(at, 587.3);
    bowl(at + 0.28, 880);
    return 1.2;
  },
  secret: (at) => {
    wind(at, 1.4);
    return 1.4;
  },
  end: (at) => {
    tone(at, 220, 3, 0.08, "sine");
    tone(at, 441.5, 2.4, 0.04, "sine");
    tone(at, 607, 1.6, 0.02, "sine");
    return 3;
  },
};

function envelope(at, length, loud) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + Math.min(0.02, length / 4));
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(context.destination);
  return gain;
}

function tone(at, hertz, length, loud, shape) {
  const voice = context.createOscillator();
  voice.type = shape;
  voice.frequency.setValueAtTime(hertz, at);
  voice.connect(envelope(at, length, loud));
  voice.start(at);
  voice.stop(at + length);
}

function bowl(at, hertz) {
  tone(at, hertz, 1, 0.06, "sine");
  tone(at, hertz * 2.71, 0.6, 0.015, "sine");
}

function wind(at, length) {
  const noise = context.createBufferSource();
  const buffer = context.createBuffer(
    1,
    Math.round(context.sampleRate * length),
    context.sampleRate
  );
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i += 1)
    data[i] = (Math.random() * 2 - 1) * (1 - i / data.length);
  noise.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.setValueAtTime(700, at);
  filter.frequency.exponentialRampToValueAtTime(160, at + length);
  noise.connect(filter);
  filter.connect(envelope(at, length, 0.08));
  noise.start(at);
}
