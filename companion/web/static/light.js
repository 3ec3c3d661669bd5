// Night or day on this screen: as chosen here, else as the system says, and again when the system changes its mind.

import { recall } from "./keep.js";

const LIGHT = "(prefers-color-scheme: light)";

export function applyTheme(app) {
  const theme = recall("theme", "auto");
  const light = window.matchMedia && window.matchMedia(LIGHT).matches;
  app.day = theme === "day" || (theme !== "night" && light);
  document.documentElement.className = app.day ? "day" : "night";
  const meta = document.querySelector("meta[name=theme-color]");
  if (meta) meta.setAttribute("content", app.day ? "#E2EBF1" : "#1A1730");
}

// From now on follow the system's light.
export function followTheme(app) {
  applyTheme(app);
  if (!window.matchMedia) return;
  const query = window.matchMedia(LIGHT);
  const changed = () => {
    applyTheme(app);
    app.draw();
  };
  if (query.addEventListener) query.addEventListener("change", changed);
  else query.addListener(changed);
}
