// The shape of a topology: a tree of planes, pods and units, and what of it is visible when parts are folded.
"use strict";
fabricgen.topology = {};
fabricgen.topology.shape = (() => {
  const TIERS = { leaf: 1, spine: 2, superspine: 3 };
  const OPEN = 64;   // a fabric with more switches starts folded

  // Names for rows of the chunk.
  function read(data) {
    const word = (number) => data.words[number];
    const switches = data.switches.map(([name, role, platform, model, group, plane, pod, unit, index, part]) => ({
      name, role: word(role), platform: word(platform), model: word(model), group: word(group), plane, pod, unit, index, part }));
    const servers = new Map(data.attached.map(([leaf, ranges]) => [leaf, ranges]));
    return { name: data.name, design: data.design, switches, servers, serverNames: data.servers, bundles: data.bundles, word };
  }

  const several = (switches, key) => new Set(switches.map((each) => each[key]).filter((value) => value)).size > 1;

  // The names of the groups around a switch, outermost first.
  function pathOf(one, has) {
    const path = has.planes ? [`plane ${one.plane}`] : [];
    if (one.role === "superspine") return [...path, "superspines", ...(has.tops ? [`group ${one.unit}`] : [])];
    if (has.pods) path.push(`pod ${one.pod}`);
    if (one.role === "spine") return [...path, "spines"];
    return [...path, one.unit && has.units ? `unit ${one.unit}` : one.group || "leafs"];
  }

  // The tree. A node has an id, counted from 1 in the order of the switches; the root has 0.
  function tree(fabric) {
    const lower = fabric.switches.filter((each) => each.role !== "superspine");
    const has = { planes: several(fabric.switches, "plane"), pods: several(lower, "pod"), units: several(lower, "unit"),
      tops: several(fabric.switches.filter((each) => each.role === "superspine"), "unit") };
    const root = { id: 0, label: fabric.name, parent: null, children: new Map(), switches: [], all: [] };
    const nodes = [root], homes = [];
    fabric.switches.forEach((one, place) => {
      let node = root;
      root.all.push(place);
      for (const label of pathOf(one, has)) {
        if (!node.children.has(label)) {
          const made = { id: nodes.length, label, parent: node, children: new Map(), switches: [], all: [] };
          node.children.set(label, made);
          nodes.push(made);
        }
        node = node.children.get(label);
        node.all.push(place);
      }
      node.switches.push(place);
      homes.push(node);
    });
    return { root, nodes, homes };
  }

  const ancestors = (node) => node.parent ? [...ancestors(node.parent), node] : [];
  const keyOf = (node) => ancestors(node).map((each) => each.label).join(" / ");

  // The open groups of an address, as a set of ids. Without any, small fabrics are open.
  function opened(text, tree, shown) {
    if (text) return new Set(text.split(".").map(Number).filter((id) => id > 0 && id < tree.nodes.length));
    const open = new Set(tree.root.all.length <= OPEN ? tree.nodes.slice(1).map((each) => each.id) : []);
    for (const place of shown) for (const node of ancestors(tree.homes[place])) open.add(node.id);
    return open;
  }

  // The numbers of the distinct servers at some leafs.
  function serversAt(fabric, places) {
    const found = new Set();
    for (const place of places) {
      const ranges = fabric.servers.get(place) ?? [];
      for (let at = 0; at < ranges.length; at += 2) for (let each = ranges[at]; each <= ranges[at + 1]; each++) found.add(each);
    }
    return found;
  }

  // The visible items, top tier first: switches of open groups, folded groups, and servers of open groups.
  function items(fabric, tree, open) {
    const found = [];
    const tier = (places) => Math.max(...places.map((place) => TIERS[fabric.switches[place].role] ?? 1));
    const visit = (node) => {
      for (const child of node.children.values()) {
        if (open.has(child.id)) visit(child);
        else found.push({ kind: "group", key: keyOf(child), label: child.label, node: child, parent: node, places: child.all, tier: tier(child.all) });
      }
      for (const place of node.switches) {
        const name = fabric.switches[place].name;
        found.push({ kind: "switch", key: name, label: name, parent: node, places: [place], tier: tier([place]) });
      }
      const leafs = node.switches.filter((place) => fabric.servers.has(place));
      if (leafs.length) found.push({ kind: "servers", key: `servers of ${keyOf(node) || fabric.name}`, label: "servers", parent: node, places: leafs, tier: 0 });
    };
    visit(tree.root);
    found.forEach((each, number) => { each.number = number; });
    return found;
  }

  // Sums of cables between visible items. Cables inside a folded group have no line.
  function bundles(fabric, visible) {
    const at = new Array(fabric.switches.length), servers = new Map(), found = new Map();
    for (const item of visible) {
      for (const place of item.places) if (item.kind === "servers") servers.set(place, item); else at[place] = item;
    }
    for (const [lower, upper, speed, state, count] of fabric.bundles) {
      const one = lower < 0 ? servers.get(upper) : at[lower], other = at[upper];
      if (!one || one === other) continue;
      const [low, high] = one.tier > other.tier ? [other, one] : [one, other];
      const number = low.number * visible.length + high.number;
      if (!found.has(number)) found.set(number, { key: `${low.key} - ${high.key}`, low, high, count: 0, speeds: new Map(), states: new Map(), parts: new Set() });
      const sum = found.get(number);
      sum.count += count;
      add(sum.speeds, fabric.word(speed), count);
      add(sum.states, fabric.word(state), count);
      sum.parts.add(fabric.switches[lower < 0 ? upper : lower].part);
    }
    return [...found.values()];
  }

  const add = (map, key, count) => map.set(key, (map.get(key) ?? 0) + count);

  return { read, tree, opened, items, bundles, serversAt, ancestors, keyOf };
})();
