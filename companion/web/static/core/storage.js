// What this one screen keeps for itself: language, day or night, its side of the table, sounds.

export function recall(name, otherwise) {
  try {
    const text = localStorage.getItem(name);
    return text === null ? otherwise : text;
  } catch (_error) {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(name, String(value));
  } catch (_error) {
    // a browser that keeps nothing still plays
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch (_error) {
    // nothing was kept
  }
}
