// Draws a topology as SVG: rows of tiers, frames of open groups, and lines with the number of their cables.
"use strict";
fabricgen.topology.draw = (() => {
  const { shape } = fabricgen.topology;
  const SIZES = { switch: [118, 30], group: [168, 52], servers: [118, 40] };
  const GAP = 10, PAD = 8, HEAD = 20, BETWEEN = 64, LETTER = 6.6;
  const LABELS = 48;     // with more lines, numbers of cables would cover each other
  const LINES = 1500;    // with more lines, only those of the chosen item are drawn
  const HUES = 6;

  // An SVG element. Strings become text nodes, as in fabricgen.h.
  function s(tag, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== false) made.setAttribute(name, value);
    made.append(...children.flat().filter((child) => child !== undefined && child !== ""));
    return made;
  }

  const cut = (text, width) => {
    const most = Math.max(3, Math.floor(width / LETTER));
    return text.length > most ? `${text.slice(0, Math.ceil(most / 2) - 1)}…${text.slice(text.length - Math.floor(most / 2))}` : text;
  };

  // Puts boxes with a width and a height into lines that are at most so wide. Returns their height.
  function flow(boxes, left, top, width, gap) {
    let x = left, y = top, high = 0;
    for (const box of boxes) {
      if (x > left && x + box.w > left + width) { x = left; y += high + gap; high = 0; }
      box.x = x; box.y = y;
      x += box.w + gap;
      high = Math.max(high, box.h);
    }
    return y + high - top;
  }

  // A cluster: the items of one open group in one tier, below the names of the groups around them.
  // Inner groups come last, so that they are next to the tier below, to which they have lines.
  function clusters(items) {
    const found = new Map();
    for (const item of items) {
      if (!found.has(item.parent)) found.set(item.parent, { node: item.parent, items: [] });
      found.get(item.parent).items.push(item);
    }
    const depth = (cluster) => shape.ancestors(cluster.node).length;
    return [...found.values()].sort((one, other) => depth(one) - depth(other));
  }

  function measure(cluster, width) {
    const inner = width - 2 * PAD;
    for (const item of cluster.items) [item.w, item.h] = SIZES[item.kind];
    const head = shape.ancestors(cluster.node);
    cluster.head = head.length ? HEAD : 0;
    const all = cluster.items.reduce((sum, item) => sum + item.w + GAP, -GAP);
    const widest = Math.max(...cluster.items.map((item) => item.w));
    const title = head.reduce((sum, node) => sum + node.label.length * LETTER + 22, 0);
    const room = Math.min(inner, Math.max(Math.min(all, squared(cluster.items, inner)), widest, title));
    cluster.w = room + 2 * PAD;
    cluster.h = flow(cluster.items, 0, 0, room, GAP) + 2 * PAD + cluster.head;
    cluster.room = room;
  }

  // The width of many equal items in a block about three times as wide as high.
  function squared(items, inner) {
    if (items.length <= 12) return inner;
    const columns = Math.max(4, Math.ceil(Math.sqrt(items.length)));
    return columns * (items[0].w + GAP) - GAP;
  }

  // Sets x, y, w and h of all items and clusters. Returns the clusters and the height.
  function layout(items, width) {
    const every = [];
    let top = GAP;
    for (const tier of [3, 2, 1, 0]) {
      const row = clusters(items.filter((item) => item.tier === tier));
      if (!row.length) continue;
      for (const cluster of row) measure(cluster, width);
      const high = flow(row, 0, top, width, GAP * 2);
      center(row, width);
      for (const cluster of row) flow(cluster.items, cluster.x + PAD, cluster.y + PAD + cluster.head, cluster.room, GAP);
      every.push(...row);
      top += high + BETWEEN;
    }
    return { clusters: every, height: top - BETWEEN + GAP };
  }

  function center(row, width) {
    for (const y of new Set(row.map((each) => each.y))) {
      const line = row.filter((each) => each.y === y), last = line.at(-1);
      const shift = Math.max(0, (width - last.x - last.w) / 2);
      for (const each of line) each.x += shift;
    }
  }

  // The color of an item: of its tier, or of the one platform of its switches.
  function hue(view, item) {
    if (view.color === "state" || item.kind === "servers") return "hue-none";
    if (view.color === "platform") {
      const found = new Set(item.places.map((place) => view.fabric.switches[place].platform));
      return found.size > 1 ? "hue-mixed" : `hue-${view.platforms.indexOf([...found][0]) % HUES}`;
    }
    const roles = new Set(item.places.map((place) => view.fabric.switches[place].role));
    return roles.size > 1 ? "hue-mixed" : `hue-${["leaf", "spine", "superspine"].indexOf([...roles][0])}`;
  }

  function itemOf(view, item) {
    const chosen = view.selected === item.key;
    const texts = view.textsOf(item), step = (item.h - 6) / texts.length;
    const role = item.kind === "group" ? "folded group" : item.kind;
    return s("a", { href: view.hrefOf(item), class: `item ${item.kind} ${hue(view, item)}`, "data-key": item.key, "aria-current": chosen && "true",
      "aria-label": `${role} ${texts.join(", ")}` },
    s("title", {}, item.kind === "group" ? `Unfold ${item.key}` : item.key),
    s("rect", { x: item.x, y: item.y, width: item.w, height: item.h, rx: 5 }),
    texts.map((text, line) => s("text", { x: item.x + item.w / 2, y: item.y + 3 + step * (line + 0.5), class: line ? "more" : "name" }, cut(text, item.w - 10))));
  }

  // A frame around a cluster.
  function frameOf(cluster) {
    return cluster.head ? s("rect", { x: cluster.x, y: cluster.y, width: cluster.w, height: cluster.h, rx: 6, class: "edge" }) : "";
  }

  // The names of the groups around a cluster, in its frame. Each one folds that group.
  function foldsOf(view, cluster) {
    let x = cluster.x + PAD;
    const right = cluster.x + cluster.w - PAD;
    return shape.ancestors(cluster.node).map((node) => {
      const text = cut(`▾ ${node.label}`, right - x), at = x, key = shape.keyOf(node);
      x += text.length * LETTER + 14;
      return s("a", { href: view.foldOf(node), class: "fold", "data-key": `${key} ${cluster.items[0].tier}`, "data-group": key, "aria-label": `Fold ${key}` },
        s("rect", { x: at - 3, y: cluster.y + 2, width: text.length * LETTER + 8, height: HEAD + 2, rx: 3 }),
        s("text", { x: at, y: cluster.y + 13 }, text));
    });
  }

  function worst(bundle) {
    return ["dead", "drained", "planned"].find((state) => bundle.states.has(state)) ?? "active";
  }

  function path({ low, high }) {
    const x = (item) => item.x + item.w / 2;
    if (low.tier === high.tier) {
      const y = Math.max(low.y + low.h, high.y + high.h);
      return `M${x(low)} ${low.y + low.h} Q${(x(low) + x(high)) / 2} ${y + 50} ${x(high)} ${high.y + high.h}`;
    }
    return `M${x(low)} ${low.y} L${x(high)} ${high.y + high.h}`;
  }

  function lineOf(view, bundle) {
    const chosen = view.selected === bundle.key, touched = chosen || view.selected === bundle.low.key || view.selected === bundle.high.key;
    const width = Math.min(4, 1 + Math.log2(bundle.count) / 3);
    return s("a", { href: view.hrefOf(bundle), tabindex: "-1", class: `bundle state-${worst(bundle)}${touched ? " touched" : ""}${chosen ? " chosen" : ""}`, "data-key": bundle.key },
      s("title", {}, `${bundle.key}: ${view.sumOf(bundle)}`),
      s("path", { d: path(bundle), class: "hit" }), s("path", { d: path(bundle), class: "line", "stroke-width": width.toFixed(1) }));
  }

  // The place of a number: near the lower end, where lines of one upper end are apart.
  function placeOf({ low, high }) {
    const flat = low.tier === high.tier, part = flat ? 0.5 : 0.28;
    const from = flat ? low.y + low.h + 24 : low.y, to = flat ? from : high.y + high.h;
    return [(low.x + low.w / 2) * (1 - part) + (high.x + high.w / 2) * part, from * (1 - part) + to * part];
  }

  // The number of cables, unless a box would cover it.
  function labelOf(view, bundle) {
    const [x, y] = placeOf(bundle);
    const isCovered = view.items.some((each) => x > each.x - 18 && x < each.x + each.w + 18 && y > each.y - 7 && y < each.y + each.h + 7);
    return bundle.count === 1 || isCovered ? "" : s("text", { x, y, class: "count" }, bundle.count.toLocaleString("en"));
  }

  // The picture of a view, and whether it left lines out.
  function draw(view, width) {
    const { clusters: frames, height } = layout(view.items, width);
    const touches = (each) => [each.key, each.low.key, each.high.key].includes(view.selected);
    const lines = view.bundles.length > LINES ? view.bundles.filter(touches) : view.bundles;
    lines.sort((one, other) => touches(one) - touches(other));
    const labels = lines.length > LABELS ? lines.filter(touches).slice(0, LABELS) : lines;
    const svg = s("svg", { viewBox: `0 0 ${width} ${Math.ceil(height)}`, class: "topology", role: "group", "aria-label": `Topology of ${view.fabric.name}` },
      s("g", { "aria-hidden": "true" }, frames.map(frameOf)),
      s("g", { "aria-hidden": "true" }, lines.map((each) => lineOf(view, each))),
      s("g", { "aria-hidden": "true" }, labels.map((each) => labelOf(view, each))),
      s("g", {}, frames.filter((each) => each.head).flatMap((each) => foldsOf(view, each))),
      s("g", {}, view.items.map((each) => itemOf(view, each))));
    return { svg, isPartial: lines.length < view.bundles.length };
  }

  return draw;
})();
