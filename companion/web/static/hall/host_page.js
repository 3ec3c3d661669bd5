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
import { notReached, reachLines } from "./reach.js";

const ASK_MS = 3000;

const SIZES = [3, 4, 5, 6, 7, 8];

// The tables as the host sees them (null: not asked yet), the database's trouble, the code, the next
// tables that were drawn, and how many are wanted at each; whether the hall is silent, whether the last
// tap was lost, and names that were typed and that the hall does not have yet, by table.
const host = createStore({
  tables: null,
  trouble: null,
  code: null,
  drawn: null,
  size: 5,
  silent: false,
  lost: false,
  unkept: {},
});

let asking = null;

async function ask() {
  const { status, body } = await getAnyway("/api/host/tables").catch(notReached);
  if (status === 200) host.set(Object.assign({ silent: false }, body));
  else host.set({ silent: true });
}

function keepAsking() {
  if (asking !== null) return;
  ask();
  asking = setInterval(() => {
    if (currentPage() === "host") ask();
    else {
      clearInterval(asking);
      asking = null;
    }
  }, ASK_MS);
}

// Tell the hall something; its answer, or null where that did nothing, which the page then says.
async function tell(path, asked) {
  const { status, body } = await post(path, asked).catch(notReached);
  const done = status === 200;
  host.set({ lost: !done });
  return done ? body : null;
}

async function change(table, asked) {
  const now = await tell("/api/host/tables", Object.assign({ table }, asked));
  if (now) host.set(now);
  return now !== null;
}

// What was typed stays until the hall has it.
async function rename(table, name) {
  host.put({ unkept: Object.assign({}, host.get().unkept, { [table]: name }) });
  if (!(await change(table, { do: "name", name })) || host.get().unkept[table] !== name) return;
  const unkept = Object.assign({}, host.get().unkept);
  delete unkept[table];
  host.set({ unkept });
}

async function showCode() {
  const code = await tell("/api/host/invite", {});
  if (code) host.set({ code });
}

async function draw() {
  const drawn = await tell("/api/host/next-tables", { size: host.get().size });
  if (drawn) host.set({ drawn });
}

function leave() {
  host.set({ code: null, drawn: null, lost: false });
  go("");
}

export function hostPage({ online }) {
  keepAsking();
  const { tables, trouble, code, silent, lost } = host.get();
  const away = silent || !online;
  const inNeed = (tables || []).filter((one) => one.help || one.refused > 0);
  return page(
    "host",
    heading(t("host.title")),
    { lead: t("host.lead"), back: backButton(t("board.back"), leave) },
    reachLines(away, lost),
    html`
      ${trouble && html`<p key="trouble" role="alert">${t("host.trouble", { reason: trouble })}</p>`}
      <div class="two">
        <section key="in">
          <h2>${t("host.let_in")}</h2>
          ${code ? shownCode(code) : button("code", t("host.show_code"), showCode)}
          <h2>${t("host.help")}</h2>
          ${tables && !away && inNeed.length === 0 && html`<p class="soft">${t("host.well")}</p>`}
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
  const typed = host.get().unkept[one.table];
  if (one.revoked)
    return html`
      <li key=${one.table}>
        <span class="who">${calledTable(one)}</span><span class="soft">${t("host.gone")}</span>
      </li>`;
  return html`
    <li key=${one.table}>
      <span class="numbered">${t("board.table", { number: one.table })}</span>
      <input class="table-name" type="text" maxlength="40" aria-label=${t("host.name")} placeholder=${t("host.name")}
        value=${typed === undefined ? one.name : typed} onchange=${(event) => rename(one.table, event.target.value)} />
      ${
        typed !== undefined &&
        button(`keep-${one.table}`, t("tournament.keep"), () =>
          rename(one.table, host.get().unkept[one.table])
        )
      }
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
