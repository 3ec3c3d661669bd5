// Who should begin the next game, by the book: whoever has begun least. The table is asked once for
// the same people at the same moment of the evening, and anew when something in the book was changed.

import { get } from "../core/requests.js";
import { createStore } from "../core/store.js";

const fair = createStore({ asked: "", told: null });

// {name, begun, games, alone} of these people; null while that is not known.
export function fairStart(names, { version, book_acts: acts }) {
  const people = names.map((name) => `name=${encodeURIComponent(name)}`).join("&");
  const asked = `${version}/${acts}/${people}`;
  if (fair.get().asked !== asked) {
    fair.put({ asked, told: null });
    get(`/api/fair-start?${people}`).then(
      ({ fair: told }) => fair.get().asked === asked && fair.set({ told }),
      () => undefined
    );
  }
  return fair.get().told;
}
