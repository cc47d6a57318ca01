// Starts the pages, and shows the results of the search below its field.
"use strict";
(() => {
  const { h, load, address, start } = fabricgen;
  const { find, findNames } = fabricgen.search;
  const input = document.getElementById("search"), list = document.getElementById("found");
  let chosen = -1, turn = 0, isFirst = true;

  async function search() {
    const word = input.value.trim().toLowerCase(), mine = ++turn;
    if (!word) { fill([]); return; }
    const isCurrent = () => mine === turn;
    try {
      const site = await load("site");
      if (site.ok && isFirst) {   // the names come first: the rest may take a moment
        const names = await findNames(word);
        if (isCurrent()) fill(names, "searching");
      }
      const found = site.ok ? await find(word) : [];
      isFirst = false;
      if (isCurrent()) { fill(found, "nothing found"); list.dataset.asked = word; }
    } catch { if (isCurrent()) fill([], "the data of the search did not load"); }
  }

  // Shows results, or a remark if there are none.
  function fill(found, remark) {
    chosen = -1;
    list.replaceChildren(...found.map(({ text, what, parts }, number) =>
      h("li", { role: "option", id: `found-${number}`, "aria-selected": "false", "data-name": text, "data-page": parts[0], "data-href": address(...parts) },
        h("span", {}, text), h("small", {}, what))));
    if (remark && !found.length) list.append(h("li", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, remark));
    list.hidden = !list.children.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    input.removeAttribute("aria-activedescendant");
  }

  function choose(step) {
    const every = [...list.querySelectorAll("[data-name]")];
    if (!every.length) return;
    chosen = (chosen + step + every.length) % every.length;
    every.forEach((each, number) => each.setAttribute("aria-selected", String(number === chosen)));
    input.setAttribute("aria-activedescendant", every[chosen].id);
    every[chosen].scrollIntoView({ block: "nearest" });
  }

  function open(row) {
    if (!row) return;
    location.hash = row.dataset.href;
    input.value = "";
    search();
    input.blur();
  }

  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(-1);
    else if (event.key === "Enter") open(list.querySelector("[aria-selected=true]") ?? list.querySelector("[data-name]"));
    else if (event.key === "Escape") { input.value = ""; search(); }
    else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => open(event.target.closest("[data-name]")));
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.closest("input, select, textarea")) {
      event.preventDefault();
      input.focus();
    }
  });
  start();
})();
