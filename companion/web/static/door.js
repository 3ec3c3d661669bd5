// The page for a screen that is not in yet. A link opened from another app arrives without our strict cookie: asked from
// our own page the cookie comes along, and then the table is one step away.
fetch("/api/hello", { credentials: "same-origin" }).then(function (answer) {
  if (answer.ok && !sessionStorage.getItem("tried")) {
    sessionStorage.setItem("tried", "1");
    location.replace("/");
  } else if (answer.ok) {
    sessionStorage.removeItem("tried");
  }
});
