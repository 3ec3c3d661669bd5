// The stream of one page of the board: all its tables first, then those that change. A line that was
// cut is opened anew, and then the hall says everything again.

const SILENT_MS = 7000;
const WATCH_MS = 1000;
const BACK_MS = 3000; // so long until a hall that ended the stream is asked again

const tab = Math.random().toString(36).slice(2, 10);

export function followBoard(page, receive, onOnline) {
  let source = null;
  let heardAt = 0;
  const heard = () => {
    heardAt = Date.now();
    onOnline(true);
  };
  const open = () => {
    if (source) source.close();
    heardAt = Date.now();
    source = new EventSource(`/api/stream?page=${page}&tab=${tab}`);
    source.onmessage = (event) => {
      heard();
      receive(JSON.parse(event.data));
    };
    source.addEventListener("beat", heard);
    source.addEventListener("closed", () => {
      source.close();
      setTimeout(open, BACK_MS);
    });
    source.onerror = () => onOnline(false);
  };
  open();
  setInterval(() => {
    if (Date.now() - heardAt > SILENT_MS) {
      onOnline(false);
      open();
    }
  }, WATCH_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) open();
  });
}
