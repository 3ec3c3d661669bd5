/* Before the first paint: day or night as chosen on this screen. Everything else waits for the modules. */
(function () {
  var theme = null;
  try {
    theme = localStorage.getItem("theme");
  } catch (_error) {
    theme = null;
  }
  var light = window.matchMedia && window.matchMedia("(prefers-color-scheme: light)").matches;
  document.documentElement.className =
    theme === "day" || (theme !== "night" && light) ? "day" : "night";
})();
