// Keeping the round by touch, where no camera does it or somebody likes to: the two large buttons,
// and which cloud they mean.

import { command } from "../core/commands.js";
import { onOtherEvening, onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { createStore } from "../core/store.js";
import { say, t } from "../core/words.js";
import { button, textButton } from "../parts/buttons.js";
import { name } from "../parts/people.js";
import { isPhone, screen } from "../screen/this_screen.js";
import { isFaceDown } from "../window/scene.js";

const WITHOUT_CAMERA = ["off", "stopped", "searching", "waiting"];

export const byHand = createStore({ open: false, picked: null });

onScoreboard((before, board) => {
  if (!before || !before.round || !board.round) return;
  if (before.round.number !== board.round.number || before.round.attempt !== board.round.attempt)
    byHand.put({ picked: null });
});

onOtherEvening(() => byHand.put({ picked: null }));

function cameraPlays(board) {
  return WITHOUT_CAMERA.indexOf(board.camera.state) < 0;
}

export function isByHand(board) {
  return byHand.get().open || !cameraPlays(board);
}

// A touched cloud is the one the next "wrong" or "right" is about; touched again it is not.
export function pickCard(card) {
  byHand.set({ picked: byHand.get().picked === card ? null : card });
}

export function byHandRow({ board, people }) {
  if (!isByHand(board) || screen.get().watching) return null;
  const { turn } = board.round;
  const { picked } = byHand.get();
  const send = (what) => () => command(picked === null ? { do: what } : { do: what, card: picked });
  return html`
    <div key="hand" class="hand-row">
      ${button("set_aside", t("hand.wrong"), send("set_aside"), {
        sign: isLastAttempt(board) ? "telescope" : "moon",
        sends: true,
        cls: "answer",
        below: whoGains(board, people),
      })}
      ${button("right", t("hand.right"), send("right"), {
        sign: "sun",
        sends: true,
        cls: "answer",
        below: people[turn] && html`<span class="cuts">${name(people[turn])}</span>`,
      })}
    </div>`;
}

function isLastAttempt({ round }) {
  return round.attempt === round.attempts;
}

// To whom a wrong guess gives the cloud, and the last one all clouds.
function whoGains(board, people) {
  const isLast = isLastAttempt(board);
  if (isFaceDown(board) && !isLast) return t("hand.turned_over");
  const gains = people[isLast ? board.round.lookout : board.round.daydreamer];
  if (isPhone()) return html`<span class="cuts">${name(gains)}</span>`;
  return say(isLast ? "hand.all_to" : "hand.set_aside_for", { name: gains.name });
}

// Opens and shuts the buttons beside a camera that plays.
export function byHandOpener(board) {
  if (screen.get().watching || !cameraPlays(board)) return null;
  const { open } = byHand.get();
  return textButton(
    "byhand",
    t(open ? "hand.close" : "hand.open"),
    () => byHand.set({ open: !open }),
    open
  );
}
