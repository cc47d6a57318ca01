// Shows a new generation of the site at the same address. Only the live server adds this script.
"use strict";
(() => {
  const AGAIN_MS = 5000;
  let shown = Number(document.currentScript.dataset.generation);
  const state = fabricgen.h("p", { id: "live", role: "status" });
  document.querySelector("footer").append(state);
  const tell = (text) => { if (state.textContent !== text) state.textContent = text; };

  function listen(isFirst) {
    const events = new EventSource("events");
    let isRefreshed = isFirst;   // a server that started again may count the same numbers
    events.addEventListener("generation", async (event) => {
      const number = Number(event.data);
      if (number !== shown || !isRefreshed) {
        shown = number;
        isRefreshed = true;
        try { await fabricgen.refresh(); } catch { return; }   // the next connection tries again
      }
      tell(`Live: version ${shown} of the intent.`);
    });
    events.addEventListener("error", () => {
      events.close();
      tell("No connection to the server. The page may be old.");
      setTimeout(listen, AGAIN_MS, false);
    });
  }
  listen(true);
})();
