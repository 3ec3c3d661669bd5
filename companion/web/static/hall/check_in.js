// A person's phone: a name, and then where to sit. It asks the hall every few seconds.

import { html } from "../core/html.js";
import { getAnyway, post } from "../core/requests.js";
import { createStore, drawWith } from "../core/store.js";
import { titleOfPage } from "../core/title.js";
import { patch } from "../core/tree.js";
import { has, loadLanguage, preferredLanguage, say, t } from "../core/words.js";
import { button, holdButton, textButton } from "../parts/buttons.js";
import { followTheme } from "../screen/theme.js";
import { notReached, reachLines } from "./reach.js";

const ASK_MS = 8000;

const code = location.pathname.split("/").pop();

// What the hall says of this phone (null: not asked yet), what is typed, why the hall refused, whether
// the name is being changed, whether its person left (who never sat is forgotten by the hall), and whether
// the hall is silent.
const phone = createStore({
  told: null,
  typed: "",
  no: null,
  changing: false,
  left: false,
  silent: false,
});

async function ask() {
  const { status, body } = await getAnyway("/api/check-in/mine").catch(notReached);
  if (status === 200) phone.set({ told: body, silent: false });
  else phone.set({ silent: true });
}

async function wish(path, asked) {
  const { status, body } = await post(path, asked).catch(notReached);
  if (status === 200) phone.set({ told: body, no: null, changing: false, left: !!asked.gone });
  else {
    phone.set({ no: has(`tournament.no_${body.reason}`) ? body.reason : "away" });
    ask(); // the hall may stand otherwise than this page
  }
}

function checkIn(event) {
  event.preventDefault();
  wish("/api/check-in", { code, name: phone.get().typed });
}

function draw() {
  const { told, no, silent } = phone.get();
  patch(
    document.getElementById("app"),
    html`
      <main key="phone" class="check-in">
        <h1>${told && told.tournament ? html`<bdi>${told.tournament}</bdi>` : t("tournament.title")}</h1>
        ${reachLines(silent, false)}
        ${no && html`<p key="no" role="alert">${t(`tournament.no_${no}`)}</p>`}
        ${told && (told.me && !told.me.gone ? inside(told) : outside(told))}
      </main>`
  );
  document.title = titleOfPage();
}

function outside({ open, ended, me }) {
  const left = phone.get().left || (me && me.gone);
  const comesBack = me && me.gone && !ended;
  const back = () => wish("/api/check-in/leave", { gone: false });
  return html`
    ${left && html`<p key="left" role="status">${t("tournament.phone_left")}</p>`}
    ${open && nameForm()}
    ${comesBack && button("back", t("tournament.phone_back"), back)}
    ${!open && !comesBack && html`<p key="shut">${t("tournament.no_closed")}</p>`}`;
}

function nameForm() {
  return html`
    <form key="form" onsubmit=${checkIn}>
      <label for="name">${t("tournament.phone_name")}</label>
      <input id="name" class="print-input" maxlength="40" autocomplete="off" value=${phone.get().typed}
        oninput=${(event) => phone.set({ typed: event.target.value })} />
      <p class="soft">${t("tournament.phone_shown")}</p>
      <button key="in" type="submit" class="button"><span class="label">${t("tournament.phone_in")}</span></button>
    </form>`;
}

// Where to sit stands here while the name is being changed, too: the draw may come meanwhile.
function inside({ me, open, ended }) {
  const changing = open && phone.get().changing;
  const change = () => phone.set({ changing: !changing, typed: me.name });
  return html`
    <div key="in">
      <p>${say("tournament.phone_in_as", { name: me.name })} ${open && textButton("change", t("tournament.phone_change"), change)}</p>
      ${changing && nameForm()}
      ${me.seat ? seat(me.seat) : html`<p key="wait" class="phone-seat">${t(waitingFor(me, ended))}</p>`}
      ${me.place !== null && html`<p key="place" class="soft">${t("tournament.phone_place", { place: me.place, of: me.of, points: me.points })}</p>`}
      ${!ended && holdButton("leave", t("tournament.phone_leave"), () => wish("/api/check-in/leave", { gone: true }))}
    </div>`;
}

function waitingFor(me, ended) {
  if (ended) return "tournament.final";
  return me.bye ? "tournament.phone_bye" : "tournament.phone_wait";
}

function seat({ table, name, people, mine }) {
  return html`
    <div key="seat">
      <p class="phone-seat">${t("board.table", { number: table })}${name && [" · ", html`<bdi>${name}</bdi>`]}</p>
      <p>${t("tournament.seat_how")}</p>
      <ol>${people.map((one, at) => html`<li key=${at} class=${at === mine && "mine"}><bdi>${one}</bdi></li>`)}</ol>
    </div>`;
}

async function begin() {
  drawWith(draw);
  followTheme();
  await loadLanguage(preferredLanguage());
  ask();
  setInterval(() => {
    if (!document.hidden) ask();
  }, ASK_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) ask(); // what stands here may be old
  });
}

begin();
