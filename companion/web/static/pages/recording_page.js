// Recording the evening: whether people allow it, how much lies there, the report in one tap; and the
// question on the table's own page.

import { html } from "../core/html.js";
import { get, post } from "../core/requests.js";
import { currentPage, followPage, go } from "../core/route.js";
import { createStore, redraw } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { t } from "../core/words.js";
import { button, holdButton } from "../parts/buttons.js";
import { heading, page } from "../parts/page.js";
import { sign } from "../parts/signs.js";
import { screen } from "../screen/this_screen.js";

// While it records, what lies there is asked for again so often.
const AGAIN_MS = 5000;

// What lies there (null: not asked yet), and for which evening and state of the recording it was asked.
const recording = createStore({ kept: null, askedFor: "" });

let next = 0;

const askAnew = () => recording.put({ kept: recording.get().kept, askedFor: "" });

// Whoever opens the page sees what lies there then.
followPage(() => {
  if (currentPage() === "recording") askAnew();
});

function askKept({ recording: state, evening, phase }) {
  const wanted = [state, evening, phase === "setup"].join();
  if (recording.get().askedFor === wanted) return;
  recording.put({ kept: recording.get().kept, askedFor: wanted });
  get("/api/recording").then(
    (kept) => recording.set({ kept }),
    () => undefined
  );
  clearTimeout(next);
  if (state === "on") next = setTimeout(askAgain, AGAIN_MS);
}

function askAgain() {
  if (currentPage() !== "recording") return;
  askAnew();
  redraw();
}

async function decide(what) {
  const answer = await post("/api/recording", { do: what }).catch(() => null);
  if (answer && answer.status === 200) recording.set({ kept: answer.body });
  else if (answer && answer.body.error === "cannot_delete") {
    recording.put({ askedFor: "" }); // how much is left
    showToast("said.not_deleted");
  } else showToast("said.unsent");
}

export function recordingPage({ board }) {
  if (!screen.get().watching) askKept(board);
  const { kept } = recording.get();
  return page(
    "recording",
    heading(t("recording.title")),
    { lead: t("recording.lead") },
    !screen.get().watching &&
      html`
      <div class="two">
        <section key="may">
          <h2>${t(board.camera.state === "off" ? "recording.off" : `recording.${board.recording}`)}</h2>
          <p>${t("recording.what")}</p>
          ${
            board.camera.state === "off"
              ? html`<p class="note">${t("recording.no_camera")}</p>`
              : html`<p class="pair">${answers(board.recording)}</p>`
          }
          ${kept && kept.trouble && html`<p class="note">${t("recording.trouble")}</p>`}
        </section>
        <section key="report">
          <h2>${t("recording.report")}</h2>
          <p>${t("recording.report_why")}</p>
          ${kept && kept.evening && reportLink()}
          ${kept && kept.recordings > 0 && keptThere(kept)}
        </section>
      </div>`
  );
}

function answers(state) {
  if (state === "on")
    return button("stop", t("recording.stop"), () => decide("no"), { cls: "primary" });
  return [
    button("yes", t("recording.yes"), () => decide("yes"), { cls: "primary" }),
    state === "asked" && button("no", t("recording.no"), () => decide("no")),
  ];
}

function reportLink() {
  return html`
    <p><a key="report" class="button" href="/api/report" download>
      <span class="label"><span class="main">${t("recording.pack")}</span></span>
    </a></p>`;
}

function keptThere({ recordings, pictures, size_mb: size }) {
  return html`
    <p class="soft">${t("recording.there", { n: recordings, pictures, size: Math.ceil(size) })}</p>
    <p>${holdButton("delete", t("recording.delete"), () => decide("delete"))}</p>`;
}

// On the window of the table: the question, in its middle while seats are taken and small later on, or
// the mark that it is being recorded. Without a camera nothing is.
export function recordingMark({ camera, recording: state, phase }) {
  if (camera.state === "off" || state === "off") return null;
  if (state === "asked" && screen.get().watching) return null;
  if (state === "asked" && phase === "setup") return question();
  return html`
    <a key="recording-mark" class="recording-mark" href="#recording">
      ${sign("strip")}<span>${t(`recording.${state}`)}</span>
    </a>`;
}

function question() {
  return html`
    <section key="recording-question" class="recording-question" role="dialog" aria-label=${t("recording.asked")}>
      <p><strong>${t("recording.asked")}</strong> <span class="what">${t("recording.what")}</span></p>
      <p class="pair">
        ${button("record-yes", t("recording.yes"), () => decide("yes"), { cls: "primary" })}
        ${button("record-no", t("recording.no"), () => decide("no"))}
        ${button("record-more", t("recording.more"), () => go("recording"), { cls: "plain" })}
      </p>
    </section>`;
}
