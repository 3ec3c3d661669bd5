// Hall: which hall gets the score of this table, whether it shows people's names, and leaving it.

import { html } from "../core/html.js";
import { getAnyway, post, upload } from "../core/requests.js";
import { currentPage, goToTable } from "../core/route.js";
import { createStore } from "../core/store.js";
import { has, t } from "../core/words.js";
import { shrunkPhoto } from "../deck_check/photo.js";
import { button, holdButton } from "../parts/buttons.js";
import { about, drawing } from "../parts/drawings.js";
import { backButton, heading, page } from "../parts/page.js";
import { screen } from "../screen/this_screen.js";

const ASK_MS = 3000;

// What the table says of its hall (null: not asked yet; false: it can join none), what could not be done,
// whether that is only that the table did not hear it, and whether the table is asking the hall just now.
const link = createStore({ told: null, trouble: "", unheard: false, busy: false });

let asking = null;

async function ask() {
  const { status, body } = await getAnyway("/api/hall-link");
  const { trouble, unheard } = link.get();
  if (status === 200) link.set({ told: body, unheard: false, trouble: unheard ? "" : trouble });
  else if (status === 404) link.set({ told: false });
}

// Ask again and again while the page is looked at.
function keepAsking() {
  if (asking !== null) return;
  ask().catch(() => undefined);
  asking = setInterval(() => {
    if (currentPage() === "hall") ask().catch(() => undefined);
    else {
      clearInterval(asking);
      asking = null;
    }
  }, ASK_MS);
}

// Once, on a screen that may decide: a hall was joined and nobody has said what it may show.
export async function askAboutNames() {
  if (screen.get().watching) return;
  const { status, body } = await getAnyway("/api/hall-link").catch(() => ({ status: 0, body: {} }));
  if (status === 200 && body.hall && body.names === null) location.hash = "#hall";
}

async function send(work) {
  link.set({ busy: true, trouble: "" });
  const { status, body } = await work().catch(() => ({ status: 0, body: {} }));
  if (status === 200) link.set({ told: body, busy: false });
  else link.set({ busy: false, trouble: troubleWords(body), unheard: status === 0 });
}

function troubleWords({ error, why }) {
  if (error === "photo") return t("hall.no_code");
  return t(has(`hall.why_${why}`) ? `hall.why_${why}` : "hall.no_answer");
}

const decide = (shown) => send(() => post("/api/hall-link", { do: "names", shown }));
const leaveHall = () => send(() => post("/api/hall-link", { do: "leave" }));

function join(event) {
  event.preventDefault();
  const address = event.target.elements.address.value.trim();
  if (address) send(() => post("/api/hall-link", { do: "join", address }));
}

function takePhoto({ target }) {
  const file = target.files && target.files[0];
  if (file) send(async () => upload("/api/hall-link/photo", await shrunkPhoto(file)));
}

function leave() {
  link.reset();
  goToTable();
}

export function hallLinkPage() {
  keepAsking();
  const { told, trouble, busy } = link.get();
  return page(
    "hall-link",
    heading(t("hall.title")),
    { lead: t("hall.lead"), back: backButton(t("back_to_table"), leave) },
    html`
      ${trouble && html`<p key="trouble" role="alert"><strong>${trouble}</strong></p>`}
      ${told && (told.hall ? joined(told) : joining(busy))}
      ${told === false && about("tablesOfAHall", t("hall.none_here"), t("hall.what_words"))}`
  );
}

function joining(busy) {
  return html`
    <div key="joining" class="two">
      <section>
        <h2>${t("hall.join")}</h2>
        <form onsubmit=${join}>
          <label for="address">${t("hall.address")}</label>
          <input id="address" name="address" type="url" autocomplete="off" placeholder="http://192.168.1.9:8770/table/…" />
          <button type="submit" class="button" disabled=${busy}><span class="label">${t("hall.join_now")}</span></button>
        </form>
        <p>
          <label class="button photo" for="hall-photo">${t("hall.photo")}</label>
          <input id="hall-photo" class="unseen" type="file" accept="image/*" capture="environment" onchange=${takePhoto} />
        </p>
      </section>
      <section>
        <h2>${t("hall.what")}</h2>
        <p>${t("hall.what_words")}</p>
        ${drawing("tablesOfAHall")}
      </section>
    </div>`;
}

function joined({ hall, number, names, names_wait: wait, state, left }) {
  const far = t(`hall.state_${state}`, { n: left });
  const shown = wait ? "names_wait" : "names_why";
  return html`
    <div key="joined" class="two">
      <section>
        <h2>${t("hall.number", { number })}</h2>
        <p class="soft address">${hall}</p>
        <p>${far}</p>
        ${holdButton("leave-hall", t("hall.leave"), leaveHall)}
      </section>
      <section>
        <h2>${t(names === null ? "hall.names_asked" : "hall.names")}</h2>
        <p>${t(names === true ? `hall.${shown}_shown` : `hall.${shown}`)}</p>
        <p class="pair">
          ${button("pseudonyms", t("hall.pseudonyms"), () => decide(false), { sign: "cloud", pressed: names === false })}
          ${button("names", t("hall.show_names"), () => decide(true), { sign: "eye", pressed: names === true })}
        </p>
      </section>
    </div>`;
}
