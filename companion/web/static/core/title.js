// What a list of windows, or of pages gone back to, tells a page apart by.
export function titleOfPage() {
  const first = document.querySelector("main h1");
  return [first && first.textContent.trim(), "Cloud Mine Companion"].filter(Boolean).join(" – ");
}
