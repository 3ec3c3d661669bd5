// Screens: ask another one in by QR code (to watch, or to control), see who is in, send one away.

import { html } from "../core/html.js";
import { createPoll } from "../core/poll.js";
import { get, postTap, troubleOf } from "../core/requests.js";
import { currentPage, goToTable } from "../core/route.js";
import { createStore } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { t } from "../core/words.js";
import { button, holdButton } from "../parts/buttons.js";
import { drawing } from "../parts/drawings.js";
import { backButton, heading, page } from "../parts/page.js";
import { bitsPath } from "../parts/signs.js";
import { sayAloud } from "../screen/announce.js";
import { deviceName, screen } from "../screen/this_screen.js";

const POLL_MS = 1500;

// Who is in, and the invitation that is shown: {role, key, rows, address, state, minutes}.
const screens = createStore({ devices: [], invitation: null });

// While the page is shown it follows who comes and goes, and whether its code still lets anybody in.
const poll = createPoll(
  () => currentPage() === "screens" && !screen.get().watching,
  async () => {
    const asked = screens.get().invitation;
    const answer = await get(`/api/devices${asked ? `?invitation=${asked.key}` : ""}`);
    const { devices, invitation: shown } = screens.get();
    const invitation = asked && shown === asked ? standing(shown, answer.invitation) : shown;
    if (invitation !== shown || JSON.stringify(answer.devices) !== JSON.stringify(devices))
      screens.set({ devices: answer.devices, invitation });
  },
  POLL_MS
);

// The invitation as it stands now; the same one where nothing has changed.
function standing(invitation, { state, minutes }) {
  if (invitation.state === state && invitation.minutes === minutes) return invitation;
  if (invitation.state !== state) sayAloud(t(`screens.${state}`));
  return Object.assign({}, invitation, { state, minutes });
}

async function invite(role) {
  const answer = await postTap("/api/invite", { role });
  if (answer.status === 200) screens.set({ invitation: Object.assign({ role }, answer.body) });
  else showToast(troubleOf(answer));
}

async function sendAway(key) {
  const answer = await postTap("/api/devices", { do: "revoke", key });
  if (answer.body.devices) screens.set({ devices: answer.body.devices });
  else showToast(troubleOf(answer));
}

function leave() {
  screens.reset();
  goToTable();
}

export function screensPage() {
  poll();
  const { devices, invitation } = screens.get();
  return page(
    "screens",
    heading(t("screens.title")),
    { lead: t("screens.how"), back: backButton(t("back_to_table"), leave) },
    html`
      <div class="two">
        <section key="ask">
          <h2>${t("screens.ask")}</h2>
          <p class="pair">
            ${button("watch", t("screens.watch"), () => invite("watch"), { sign: "eye" })}
            ${button("control", t("screens.control"), () => invite("control"), { sign: "touch" })}
          </p>
          ${invitation ? invited(invitation) : howToAsk()}
        </section>
        <section key="in">
          <h2>${t("screens.in")}</h2>
          <ul class="device-list">${devices.map(deviceLine)}</ul>
        </section>
      </div>`
  );
}

function howToAsk() {
  return [
    html`<p key="tv" class="soft">${t("screens.tv")}</p>`,
    html`<p key="codes" class="soft">${t("screens.codes")}</p>`,
    drawing("screensAround"),
  ];
}

function invited({ role, rows, address, minutes, state }) {
  if (state !== "good")
    return html`
      <div key="spent" class="invited">
        <p class="note" role="status">${t(`screens.${state}`)}</p>
        <p>${button("anew", t("screens.anew"), () => invite(role), { cls: "primary" })}</p>
      </div>`;
  return html`
    <div key="good" class="invited">
      ${qrCode(rows)}
      <p><strong>${t(role === "control" ? "screens.scan_control" : "screens.scan_watch")}</strong></p>
      <p class="soft small address">${address}</p>
      <p class="soft">${t("screens.minutes", { n: minutes })}</p>
    </div>`;
}

function qrCode(rows) {
  const side = rows.length + 8;
  return html`
    <svg class="qr" viewBox="-4 -4 ${side} ${side}" role="img" aria-label=${t("screens.qr")}>
      <rect x="-4" y="-4" width=${side} height=${side} fill="#fff" />
      <path d=${bitsPath(rows)} fill="#000" />
    </svg>`;
}

function deviceLine({ key, name, role, looks }) {
  const mine = key === screen.get().device.key;
  const may = t(role === "control" ? "screens.role_control" : "screens.role_watch");
  return html`
    <li key=${key}>
      <span class="who">${deviceName(name)}${mine && html`<span class="mine"> · ${t("screens.this")}</span>`}</span>
      <span class="soft">${looks || mine ? may : `${may} · ${t("screens.not_here")}`}</span>
      ${!mine && holdButton(`away-${key}`, t("screens.away"), () => sendAway(key))}
    </li>`;
}
