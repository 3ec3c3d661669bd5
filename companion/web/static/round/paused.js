// The pause: how it stands, and the way back into the round.

import { command } from "../core/commands.js";
import { html } from "../core/html.js";
import { toastLine } from "../core/toast.js";
import { t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { baseScene } from "../window/scene.js";
import { nameBlock } from "./cloud_name.js";
import { footer } from "./footer.js";
import { roundHeader } from "./header.js";
import { standings } from "./standings.js";

export function pausedScene(evening) {
  return Object.assign(baseScene(evening), { closed: true, label: t("label.paused") });
}

export function pausedColumn(evening) {
  const { board, people } = evening;
  const resume = () => command({ do: "resume" });
  return [
    roundHeader(evening),
    html`
      <div key="head" class="head">
        ${toastLine()}
        <h1 key="paused" class="fit instruct" data-steps="4.25 3.5 3">${t("paused.title")}</h1>
        <p class="second">${t("paused.why")}</p>
        ${nameBlock(null)}
      </div>
      <div key="low" class="low">${standings(people, board.round)}</div>`,
    footer(
      evening,
      button("resume", t("paused.resume"), resume, { cls: "primary wide", sends: true })
    ),
  ];
}
