// The page for a screen that is not in yet. A link opened from another app arrives without our
// strict cookie: asked from our own page the cookie comes along, and then the table is one step
// away.
async function goIn() {
  const answer = await fetch("/api/hello", { credentials: "same-origin" });
  if (!answer.ok) return;
  if (sessionStorage.getItem("tried")) sessionStorage.removeItem("tried");
  else {
    sessionStorage.setItem("tried", "1");
    location.replace("/");
  }
}

goIn();
