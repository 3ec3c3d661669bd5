// The host's page: which tables need somebody, the code that lets tables in, and each table's name,
// whether it counts, and sending it away.

import { html } from "../core/html.js";
import { getAnyway, post } from "../core/requests.js";
import { currentPage, go } from "../core/route.js";
import { createStore } from "../core/store.js";
import { t } from "../core/words.js";
import { button, holdButton } from "../parts/buttons.js";
import { chooser, options } from "../parts/fields.js";
import { backButton, heading, page } from "../parts/page.js";
import { bitsPath } from "../parts/signs.js";

const ASK_MS = 3000;

const SIZES = [3, 4, 5, 6, 7, 8];

// The tables as the host sees them (null: not asked yet), the database's trouble, the code, the next
// tables that were drawn, and how many are wanted at each.
const host = createStore({ tables: null, trouble: null, code: null, drawn: null, size: 5 });

let asking = null;

async function ask() {
  const { status, body } = await getAnyway("/api/host/tables");
  if (status === 200) host.set(body);
}

function keepAsking() {
  if (asking !== null) return;
  ask().catch(() => undefined);
  asking = setInterval(() => {
    if (currentPage() === "host") ask().catch(() => undefined);
    else {
      clearInterval(asking);
      asking = null;
    }
  }, ASK_MS);
}

async function change(table, asked) {
  const { status, body } = await post("/api/host/tables", Object.assign({ table }, asked));
  if (status === 200) host.set(body);
}

async function showCode() {
  const { status, body } = await post("/api/host/invite", {});
  if (status === 200) host.set({ code: body });
}

async function draw() {
  const { status, body } = await post("/api/host/next-tables", { size: host.get().size });
  if (status === 200) host.set({ drawn: body });
}

function leave() {
  host.set({ code: null, drawn: null });
  go("");
}

export function hostPage() {
  keepAsking();
  const { tables, trouble, code } = host.get();
  const inNeed = (tables || []).filter((one) => one.help || one.refused > 0);
  return page(
    "host",
    heading(t("host.title")),
    { lead: t("host.lead"), back: backButton(t("board.back"), leave) },
    html`
      ${trouble && html`<p key="trouble" role="alert">${t("host.trouble", { reason: trouble })}</p>`}
      <div class="two">
        <section key="in">
          <h2>${t("host.let_in")}</h2>
          ${code ? shownCode(code) : button("code", t("host.show_code"), showCode)}
          <h2>${t("host.help")}</h2>
          ${inNeed.length === 0 && html`<p class="soft">${t("host.well")}</p>`}
          <ul class="device-list">${inNeed.map(needLine)}</ul>
          <h2>${t("host.next")}</h2>
          ${nextTables()}
          <h2>${t("tournament.title")}</h2>
          ${button("lead", t("tournament.lead"), () => go("lead"))}
        </section>
        <section key="tables">
          <h2>${t("host.tables")}</h2>
          ${tables && tables.length === 0 && html`<p class="soft">${t("host.none")}</p>`}
          <ul class="device-list">${(tables || []).map(tableLine)}</ul>
        </section>
      </div>`
  );
}

function shownCode({ rows, address, hours }) {
  const side = rows.length + 8;
  return html`
    <div class="invited">
      <svg class="qr" viewBox="-4 -4 ${side} ${side}" role="img" aria-label=${t("screens.qr")}>
        <rect x="-4" y="-4" width=${side} height=${side} fill="#fff" />
        <path d=${bitsPath(rows)} fill="#000" />
      </svg>
      <p>${t("host.let_in_how", { n: hours })}</p>
      <p class="soft small address">${address}</p>
    </div>`;
}

function nextTables() {
  const { drawn, size } = host.get();
  const sizes = SIZES.map((one) => [one, String(one)]);
  const choose = ({ target }) => host.set({ size: Number(target.value) });
  return html`
    <p class="next-size">
      <label for="size">${t("host.next_size")}</label>
      ${chooser({ id: "size", onchange: choose }, options(size, sizes))}
    </p>
    ${button("draw", t("host.draw"), draw)}
    ${
      drawn &&
      html`
      <p class="soft">${drawn.tables.length > 0 ? t("host.again", { n: drawn.again }) : t("host.too_few")}</p>
      <ol class="drawn">
        ${drawn.tables.map(
          (people, at) => html`
            <li key=${at}><strong>${at + 1}</strong> ${people.map((one, i) => [i > 0 && ", ", html`<bdi>${one}</bdi>`])}</li>`
        )}
      </ol>`
    }`;
}

function calledTable(one) {
  const number = t("board.table", { number: one.table });
  return one.name ? `${number} · ${one.name}` : number;
}

function needLine(one) {
  return html`
    <li key=${one.table}>
      <span class="who">${calledTable(one)}</span>
      <span class="soft">
        ${one.help ? t(`host.help_${one.help}`) : t("host.refused", { n: one.refused })}
      </span>
    </li>`;
}

function tableLine(one) {
  const rename = (event) => change(one.table, { do: "name", name: event.target.value });
  if (one.revoked)
    return html`
      <li key=${one.table}>
        <span class="who">${calledTable(one)}</span><span class="soft">${t("host.gone")}</span>
      </li>`;
  return html`
    <li key=${one.table}>
      <span class="numbered">${t("board.table", { number: one.table })}</span>
      <input class="table-name" type="text" maxlength="40" aria-label=${t("host.name")} placeholder=${t("host.name")}
        value=${one.name} onchange=${rename} />
      ${
        one.counts
          ? holdButton(`aside-${one.table}`, t("host.set_aside"), () =>
              change(one.table, { do: "set_aside" })
            )
          : button(`count-${one.table}`, t("host.count"), () => change(one.table, { do: "count" }))
      }
      ${holdButton(`away-${one.table}`, t("host.send_away"), () => change(one.table, { do: "send_away" }))}
    </li>`;
}
