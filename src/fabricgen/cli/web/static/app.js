// Loads chunks of data, shows the page of the address, and makes elements from text only.
"use strict";

const fabricgen = (() => {
  const chunks = new Map(), pages = new Map(), links = [], askers = new WeakMap();

  // An element. Strings become text nodes, so a name from outside is never markup.
  function h(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
    return made;
  }

  // A table. Rows are lists of cells; a caption names it for screen readers.
  function table(caption, head, rows) {
    const cells = (kind, row) => row.map((cell) => h(kind, { scope: kind === "th" && "col" }, cell));
    return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      h("table", {}, h("caption", {}, caption),
        h("thead", {}, h("tr", {}, cells("th", head))),
        h("tbody", {}, rows.map((row) => h("tr", {}, cells("td", row))))));
  }

  const address = (page, ...parts) => `#/${[page, ...parts].map(encodeURIComponent).join("/")}`;
  const link = (text, page, ...parts) => h("a", { href: address(page, ...parts) }, text);
  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  function fileName(name) {
    const parts = name.split("/").map((part) => encodeURIComponent(encodeName(part)));
    return `data/${parts.join("/")}.js`;
  }
  // The same spelling as file_name() in chunk.py: a character outside of letters, digits and -_.~ is %XX.
  function encodeName(part) {
    const quoted = encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    return /^\.+$/.test(part) ? part.replaceAll(".", "%2E") : quoted;
  }

  function load(name) {
    if (!chunks.has(name)) {
      const waiting = {};
      waiting.promise = new Promise((resolve, reject) => Object.assign(waiting, { resolve, reject }));
      chunks.set(name, waiting);
      const script = h("script", { src: fileName(name) });
      script.addEventListener("error", () => { if (chunks.get(name) === waiting) chunks.delete(name); waiting.reject(new Error(name)); });
      script.addEventListener("load", () => script.remove());
      askers.set(script, waiting);
      document.head.append(script);
    }
    return chunks.get(name).promise;
  }

  function receive(name, data) {
    const asker = askers.get(document.currentScript);
    if (asker && chunks.get(name) !== asker) return asker.resolve(data);   // asked before a refresh
    if (!chunks.has(name)) chunks.set(name, {});
    const waiting = chunks.get(name);
    waiting.resolve?.(data);
    waiting.promise = Promise.resolve(data);
  }

  // Registers a page. show(main, ...parts) fills the page; is_shown(site) decides on its link.
  function page(name, title, show, isShown = () => true) {
    pages.set(name, { title, show });
    if (title) links.push({ name, title, isShown });
  }

  let turn = 0;
  async function show() {
    const mine = ++turn;
    const [name, ...parts] = location.hash.replace(/^#\/?/, "").split("/").map(decode);
    const main = document.getElementById("main");
    const found = pages.get(name || "overview");
    const body = h("div", { class: "page" });
    let title = "No such page";
    try {
      if (!found) body.append(h("h1", {}, title), h("p", {}, `This report has no page ${name}.`));
      else title = (await found.show(body, ...parts)) ?? found.title;
    } catch (error) {
      title = "Not found";
      body.replaceChildren(h("h1", {}, title), h("p", {}, `This report has no data for ${error.message}.`));
    }
    if (mine !== turn) return;   // another address was chosen while the data came
    const site = document.getElementById("site").textContent;
    document.title = `${title} - ${site} - fabricgen`;
    main.replaceChildren(body);
    for (const each of document.querySelectorAll("#pages a")) {
      if (each.dataset.page === (name || "overview")) each.setAttribute("aria-current", "page");
      else each.removeAttribute("aria-current");
    }
    body.querySelector("[data-target]")?.scrollIntoView({ block: "center" });
    main.dataset.shown = location.hash || "#/";
  }

  function decode(part) {
    try { return decodeURIComponent(part); } catch { return part; }
  }

  // Shows what all pages share: the name of the site, and the links of pages that have data.
  async function head() {
    const site = await load("site");
    document.getElementById("site").textContent = site.name;
    const shown = links.filter((each) => each.isShown(site));
    document.getElementById("pages").replaceChildren(...shown.map((each) =>
      h("li", {}, h("a", { href: address(each.name), "data-page": each.name }, each.title))));
  }

  async function start() {
    await head();
    addEventListener("hashchange", async () => {
      await show();
      document.getElementById("main").focus({ preventScroll: true });
      if (!document.querySelector("[data-target]")) scrollTo(0, 0);
    });
    await show();
  }

  // Forgets all data and shows the same address again.
  async function refresh() {
    chunks.clear();
    await head();
    await show();
  }

  return { h, table, link, address, count, load, receive, page, start, refresh };
})();
