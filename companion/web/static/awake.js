// Keeping the screen on, where the browser may (a secure page); elsewhere the "More" page says how.

export function canStayAwake() {
  return !!(window.isSecureContext && navigator.wakeLock);
}

export function stayAwake() {
  if (!canStayAwake()) return;
  const ask = () => {
    if (!document.hidden) navigator.wakeLock.request("screen").catch(() => undefined);
  };
  ask();
  document.addEventListener("visibilitychange", ask);
}
