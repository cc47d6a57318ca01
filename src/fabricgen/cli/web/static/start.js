// Starts the pages, and searches the names of switches and servers.
"use strict";
(() => {
  const { h, load, address, start } = fabricgen;
  const input = document.getElementById("search"), list = document.getElementById("found");
  const MOST = 12;
  let names, chosen = -1;

  async function index() {
    if (!names) {
      const site = await load("site");
      const { switches, servers } = site.ok ? await load("devices") : { switches: [], servers: [] };
      names = [...switches.map(([name, fabric]) => [name, "switch", `${fabric} switch`]),
        ...servers.map(([name, kind]) => [name, "server", `${kind} server`])]
        .map((row) => [row[0].toLowerCase(), ...row]);
    }
    return names;
  }

  async function search() {
    const word = input.value.trim().toLowerCase();
    const every = word ? await index() : [];
    const starts = [], inside = [];
    for (const row of every) {
      const place = row[0].indexOf(word);
      if (place === 0) starts.push(row); else if (place > 0) inside.push(row);
      if (starts.length === MOST) break;
    }
    const found = [...starts, ...inside].slice(0, MOST);
    chosen = -1;
    list.replaceChildren(...found.map(([, name, page, what], number) =>
      h("li", { role: "option", id: `found-${number}`, "aria-selected": "false", "data-page": page, "data-name": name },
        h("span", {}, name), h("small", {}, what))));
    if (word && !found.length) list.append(h("li", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, "nothing found"));
    list.hidden = !word;
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
    location.hash = address(row.dataset.page, row.dataset.name);
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
