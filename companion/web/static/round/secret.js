// The column while the cards are handed over and the Lookout chooses: the sky is closed, nothing of
// it is known here.

import { command } from "../core/commands.js";
import { html } from "../core/html.js";
import { toastLine } from "../core/toast.js";
import { say, t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { sign } from "../parts/signs.js";
import { screen } from "../screen/this_screen.js";
import { baseScene } from "../window/scene.js";
import { isByHand } from "./by_hand.js";
import { nameBlock } from "./cloud_name.js";
import { footer } from "./footer.js";
import { roundHeader } from "./header.js";
import { roleLine } from "./standings.js";

export function secretScene(evening) {
  const { round, practice } = evening.board;
  return Object.assign(baseScene(evening), {
    closed: true,
    handover: round.draw,
    sun: round.daydreamer,
    label: t(practice ? "label.secret_practice" : "label.secret"),
  });
}

export function secretColumn(evening) {
  const { board, people } = evening;
  const { round } = board;
  const lookout = people[round.lookout];
  const params = { n: round.draw, to: lookout.name, from: people[round.daydreamer].name };
  const cameraSees = ["off", "stopped", "waiting"].indexOf(board.camera.state) < 0;
  return [
    roundHeader(evening),
    html`
      <div key="head" class="head">
        ${toastLine()}
        <h1 key="hand-over" class="fit instruct" data-steps="4.25 3.5 3 2.5 2.125">${say("secret.hand", params)}</h1>
        <p class="second">${say(round.name ? "secret.then_named" : "secret.then", params)}</p>
        ${nameBlock(round)}
      </div>
      <div key="low" class="low">
        ${cameraSees && (board.practice ? html`<p class="soft">${t("secret.practice")}</p>` : promise(lookout))}
        ${roleLine(people, round)}
      </div>`,
    footer(evening, isByHand(board) ? laidButton() : acceptCountButton(board)),
  ];
}

// What the camera keeps to itself.
function promise(lookout) {
  return html`
    <p class="lid-line">
      ${sign("lid")}
      <span>
        <strong>${t("secret.eye")}</strong>
        <span class="soft">${say("secret.promise", { name: lookout.name })}</span>
      </span>
    </p>`;
}

function laidButton() {
  return (
    !screen.get().watching &&
    button("laid", t("laid"), () => command({ do: "laid" }), { cls: "primary wide", sends: true })
  );
}

// What lies there and is not counted: without it, it would be another round than the table's.
const UNCOUNTED = ["already_won", "foreign", "one_twice", "readers_differ", "twice"];

// The camera's other count as a house rule: one tap, and only while the table asks for it.
function acceptCountButton(board) {
  const told = board.notices || [];
  const asked = told.find((notice) => notice.key === "expected_seen");
  const keys = [
    ...told.map((notice) => notice.key),
    ...(board.camera.notices || []).map((text) => String(text).split(":")[0]),
  ];
  if (
    !asked ||
    keys.some((key) => UNCOUNTED.includes(key)) ||
    screen.get().watching ||
    !(asked.params.seen > 2)
  )
    return null;
  const words = t("accept_count", { n: asked.params.seen });
  return button("count", words, () => command({ do: "accept_count" }), {
    cls: "primary wide",
    sends: true,
  });
}
