// Screens: ask another one in by QR code (to watch, or to control), see who is in, send one away.

import { html } from "../core/html.js";
import { get, post } from "../core/requests.js";
import { goToTable } from "../core/route.js";
import { createStore } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { t } from "../core/words.js";
import { button, holdButton } from "../parts/buttons.js";
import { backButton, heading, page } from "../parts/page.js";
import { bitsPath } from "../parts/signs.js";
import { deviceName, screen } from "../screen/this_screen.js";

// Who is in (null: not asked yet), and the invitation that is shown.
const screens = createStore({ devices: null, invitation: null });

function askDevices() {
  if (screens.get().devices !== null || screen.get().watching) return;
  screens.put({ devices: [] });
  get("/api/devices").then(
    ({ devices }) => screens.set({ devices }),
    () => undefined
  );
}

async function invite(role) {
  const answer = await post("/api/invite", { role });
  if (answer.status === 200) screens.set({ invitation: Object.assign({ role }, answer.body) });
}

async function sendAway(key) {
  const answer = await post("/api/devices", { do: "revoke", key });
  if (answer.body.devices) screens.set({ devices: answer.body.devices });
  else if (answer.body.error === "cannot_save") showToast("notice.cannot_save");
}

function leave() {
  screens.reset();
  goToTable();
}

export function screensPage() {
  askDevices();
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
          ${invitation ? invited(invitation) : html`<p class="soft">${t("screens.tv")}</p>`}
        </section>
        <section key="in">
          <h2>${t("screens.in")}</h2>
          <ul class="device-list">${(devices || []).map(deviceLine)}</ul>
        </section>
      </div>`
  );
}

function invited({ role, rows, address, minutes }) {
  return html`
    <div class="invited">
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

function deviceLine({ key, name, role }) {
  const mine = key === screen.get().device.key;
  return html`
    <li key=${key}>
      <span class="who">${deviceName(name)}${mine && html`<span class="mine"> · ${t("screens.this")}</span>`}</span>
      <span class="soft">${t(role === "control" ? "screens.role_control" : "screens.role_watch")}</span>
      ${!mine && holdButton(`away-${key}`, t("screens.away"), () => sendAway(key))}
    </li>`;
}
