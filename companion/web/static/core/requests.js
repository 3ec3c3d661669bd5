// Single questions to the server, and their answers.

import { showToast } from "./toast.js";

const RETRY_MS = 700;
const RETRIES = 4;

// Ask; the answer's JSON, or a failure when the server does not say 200.
export async function get(path) {
  const answer = await fetch(path, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

// Ask; the answer is {status, body}, whatever the status.
export async function getAnyway(path) {
  return statusAndBody(await fetch(path, { credentials: "same-origin" }));
}

// Send a value; the answer is {status, body}, whatever the status.
export async function post(path, value) {
  const answer = await fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
  });
  return statusAndBody(answer);
}

// The same for a tap; where it did not reach the table that is said, and the status is 0.
export function postTap(path, value) {
  return post(path, value).catch(() => {
    showToast("said.unsent");
    return { status: 0, body: {} };
  });
}

// What to say where the table did not do what was asked, and nobody's words say why: the disk took
// nothing, or it did not arrive.
export function troubleOf({ body }) {
  return body.error === "cannot_save" ? "notice.cannot_save" : "said.unsent";
}

// Send a picture; the answer is {status, body}.
export async function upload(path, picture) {
  return statusAndBody(
    await fetch(path, { method: "POST", credentials: "same-origin", body: picture })
  );
}

async function statusAndBody(answer) {
  const body = await answer.json().catch(() => ({}));
  return { status: answer.status, body };
}

// Send one command; the answer is {status, body}. A lost answer is asked for again under the same
// id, so nothing is done twice.
export async function sendCommand(version, command) {
  const sent = Object.assign({ id: newId(), version }, command);
  for (let left = RETRIES; ; left -= 1) {
    try {
      return await post("/api/command", sent);
    } catch (error) {
      if (left <= 0) throw error;
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

function newId() {
  const bytes = window.crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => `0${byte.toString(16)}`.slice(-2)).join("");
}
