// Asking again and again while something is shown, and not while the screen is off.

const HIDDEN_MS = 1000;
const FAILED_MS = 2000;

// A function that starts the asking, unless it is under way: `ask()` every `everyMs` for as long as
// `isShown()`.
export function createPoll(isShown, ask, everyMs) {
  let running = false;
  const next = async () => {
    running = isShown();
    if (!running) return;
    if (document.hidden) {
      setTimeout(next, HIDDEN_MS);
      return;
    }
    let wait = everyMs;
    try {
      await ask();
    } catch (_error) {
      wait = FAILED_MS;
    }
    setTimeout(next, wait);
  };
  return () => {
    if (running) return;
    running = true;
    setTimeout(next, 0);
  };
}
