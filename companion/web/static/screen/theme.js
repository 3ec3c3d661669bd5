// Night or day on this screen: as chosen here, else as the system says, and again when the system
// changes its mind.

import { recall } from "../core/storage.js";
import { redraw } from "../core/store.js";
import { screen } from "./this_screen.js";

const LIGHT = "(prefers-color-scheme: light)";
export const PAGE_COLOURS = { day: "#E2EBF1", night: "#1A1730" };

export function applyTheme() {
  const chosen = recall("theme", "auto");
  const day = chosen === "day" || (chosen !== "night" && window.matchMedia(LIGHT).matches);
  const theme = day ? "day" : "night";
  screen.put({ day });
  document.documentElement.className = theme;
  document.querySelector("meta[name=theme-color]").setAttribute("content", PAGE_COLOURS[theme]);
}

// From now on follow the system's light.
export function followTheme() {
  applyTheme();
  const query = window.matchMedia(LIGHT);
  const changed = () => {
    applyTheme();
    redraw();
  };
  if (query.addEventListener) query.addEventListener("change", changed);
  else query.addListener(changed);
}
