// The topology page: what is open, chosen and colored is in its address, #/topology/FABRIC/CHOSEN/OPEN/COLOR.
"use strict";
(() => {
  const { h, address, load, count, topology: { shape, draw, panel: { panel, endOf } } } = fabricgen;
  const COLORS = [["tier", "tier"], ["platform", "platform"], ["state", "state of cables"]];

  // Everything that one picture needs. hrefOf and foldOf name the view after a click.
  function viewOf(fabric, tree, { selected = "", open: text = "", color = "tier" }) {
    const placeOf = new Map(fabric.switches.map((each, place) => [each.name, place]));
    const view = { fabric, tree, selected, color: COLORS.some(([key]) => key === color) ? color : "tier", placeOf };
    const shown = placeOf.get(selected) ?? placeOf.get(endOf(view, selected)?.name);
    view.open = shape.opened(text, tree, shown === undefined ? [] : [shown]);
    view.platforms = [...new Set(fabric.switches.map((each) => each.platform))];
    view.items = shape.items(fabric, tree, view.open);
    view.bundles = shape.bundles(fabric, view.items);
    const href = (chosen, open, own = view.color) => address("topology", fabric.name, chosen, [...open].sort((a, b) => a - b).join(".") || "0", own);
    view.hrefOf = (each) => href(each.key, each.kind === "group" ? new Set([...view.open, each.node.id]) : view.open);
    view.foldOf = (node) => href(shape.keyOf(node), new Set([...view.open].filter((id) => !isInside(tree.nodes[id], node))));
    view.colored = (own) => href(selected, view.open, own);
    view.all = (isOpen) => href("", isOpen ? tree.nodes.slice(1).map((each) => each.id) : []);
    view.sumOf = sumOf;
    view.textsOf = (item) => textsOf(fabric, item);
    return view;
  }

  const isInside = (node, outer) => node === outer || node.parent !== null && isInside(node.parent, outer);
  const sumOf = (bundle) => [...bundle.speeds].map(([speed, number]) => `${number.toLocaleString("en")} x ${speed}`).join(", ");

  // The lines of text in the box of an item.
  function textsOf(fabric, item) {
    const servers = item.kind === "switch" ? 0 : shape.serversAt(fabric, item.places).size;
    if (item.kind === "switch") return [item.label];
    if (item.kind === "servers") return [item.label, servers.toLocaleString("en")];
    const roles = Map.groupBy(item.places, (place) => fabric.switches[place].role);
    const counts = [...roles].map(([role, found]) => count(found.length, role));
    return [`▸ ${item.label}`, counts.join(", "), ...(servers ? [count(servers, "server")] : [])];
  }

  function legend(view) {
    const hues = view.color === "tier" ? ["leaf", "spine", "superspine"].map((role, number) => [role, `hue-${number}`]).filter(([role]) => view.fabric.switches.some((each) => each.role === role))
      : view.color === "platform" ? view.platforms.map((name, number) => [name, `hue-${number % 6}`])
        : ["active", "planned", "drained", "dead"].map((state) => [state, `state-${state}`]);
    if (view.color !== "state") hues.push(["several", "hue-mixed"]);
    return h("ul", { class: "legend", "aria-label": "Colors" }, hues.map(([text, kind]) => h("li", { class: kind }, text)));
  }

  // A page keeps its elements while clicks change its view: only the picture and the panel are new.
  function page(body, fabric, start) {
    const tree = shape.tree(fabric), picture = h("div", { class: "picture-of" }), tools = h("div", { class: "tools" });
    const side = h("aside", { class: "why", "aria-live": "polite", tabindex: "0", "aria-label": "Details" }), note = h("p", { class: "dim", role: "status" });
    let view, width, turn = 0;
    const paint = () => {
      width = Math.max(300, picture.clientWidth || roomFor(document.getElementById("main").clientWidth));
      const { svg, isPartial } = draw(view, width);
      picture.replaceChildren(svg);
      note.textContent = isPartial ? `${count(view.bundles.length, "link")} are too many for one picture. Choose a switch to see its links.` : `${count(view.bundles.length, "link")} in this picture.`;
    };
    const fill = async () => {
      const mine = ++turn;
      let shown;
      try { shown = await panel(view); } catch (error) { shown = [h("p", {}, `This report has no data for ${error.message}.`)]; }
      if (mine === turn) { side.replaceChildren(...shown.flat(Infinity).filter(Boolean)); side.scrollTop = 0; }
    };
    const set = (wanted) => {
      view = viewOf(fabric, tree, wanted);
      const select = h("select", { id: "color", onchange: (event) => go(view.colored(event.target.value)) }, COLORS.map(([key, text]) => h("option", { value: key, selected: key === view.color }, text)));
      tools.replaceChildren(h("label", { for: "color" }, "Color by "), select, h("a", { href: view.all(false), "data-go": true }, "Fold all"), h("a", { href: view.all(true), "data-go": true }, "Unfold all"), legend(view));
      paint();
      return fill();
    };
    // Clicks change the address without a new page, so that the focus and the scrolled place stay.
    const go = (href) => {
      const focused = document.activeElement, key = focused?.dataset?.key, group = focused?.dataset?.group, text = focused?.textContent, id = focused?.id;
      history.pushState(null, "", href);
      document.getElementById("main").dataset.shown = location.hash;
      const [, , , selected, open, color] = href.split("/").map(decodeURIComponent);
      set({ selected, open, color });
      focusAgain({ key, group, text, id });
    };
    const focusAgain = ({ key, group, text, id }) => {
      if (id) { document.getElementById(id)?.focus({ preventScroll: true }); return; }
      const found = [...body.querySelectorAll("[data-key]")];
      const same = found.find((each) => each.dataset.key === key) ?? found.find((each) => each.dataset.group === key || each.dataset.key === group)
        ?? [...tools.querySelectorAll("a")].find((each) => each.textContent === text) ?? side;
      same.focus({ preventScroll: true });
    };
    body.addEventListener("click", (event) => {
      const target = event.target.closest("[data-key], [data-go]");
      if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(target.getAttribute("href"));
    });
    const resized = () => {
      if (!body.isConnected) { removeEventListener("resize", resized); return; }
      if (Math.abs(picture.clientWidth - width) > 20) paint();
    };
    addEventListener("resize", resized);
    body.append(tools, note, h("div", { class: "file" }, picture, side));
    return set(start);
  }

  const roomFor = (main) => main - 32 < 768 ? main - 32 : (main - 32 - 13) * 3 / 4;

  fabricgen.page("topology", "Topology", async (body, name, selected, open, color) => {
    const site = await load("site");
    const names = site.fabrics.map((each) => each.name), chosen = name || names[0];
    body.append(h("h1", {}, `Topology of ${chosen}`));
    if (names.length > 1) body.append(h("ul", { class: "tabs", "aria-label": "Fabrics" }, names.map((each) => h("li", {}, h("a", { href: address("topology", each), "aria-current": each === chosen && "true" }, each)))));
    const fabric = shape.read(await load(`topology/${chosen}`));
    await page(body, fabric, { selected, open, color });
    return `Topology of ${chosen}`;
  }, (site) => site.ok);
})();
