// Keeping the screen on, where the browser may (a secure page); elsewhere the "More" page says how.

function canStayAwake() {
  return !!(window.isSecureContext && navigator.wakeLock);
}

// The key of the words that say how to keep the screen on: with the steps of this system where they
// are known.
export function wakeLockWords() {
  if (canStayAwake()) return "more.awake";
  if (/iPad|iPhone/.test(navigator.userAgent)) return "more.asleep_ios";
  return /Android/.test(navigator.userAgent) ? "more.asleep_android" : "more.asleep";
}

export function stayAwake() {
  if (!canStayAwake()) return;
  const ask = () => {
    if (!document.hidden) navigator.wakeLock.request("screen").catch(() => undefined);
  };
  ask();
  document.addEventListener("visibilitychange", ask);
}
