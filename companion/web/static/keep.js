// What this one screen keeps for itself: language, day or night, its side of the table, sounds.

export function recall(name, otherwise) {
  try {
    const text = localStorage.getItem(name);
    return text === null ? otherwise : text;
  } catch (e) {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, String(value));
  } catch (e) {
    // a browser that keeps nothing still plays
  }
}
