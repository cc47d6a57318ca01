// The what-if view of the lossless page: sliders for a group of ports, the result, and the ECN curve.
"use strict";
fabricgen.whatIfView = (() => {
  const { h, table, load, address } = fabricgen;
  const bytes = (value) => value === null ? "none" : `${value.toLocaleString("en")} bytes`;

  function svg(tag, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  // The marking probability by queue depth, with Kmin, Kmax and the queue at pause.
  function curve(points, title) {
    const width = 420, height = 220, left = 48, top = 46, bottom = 180, { minimum, maximum, probability, limits } = points;
    const most = 1.12 * Math.max(maximum, limits.queue, minimum), x = (value) => (left + (width - left - 12) * value / most).toFixed(1), y = (share) => (bottom - (bottom - top) * share / 100).toFixed(1);
    const label = (value, name, row) => [svg("line", { class: `mark-${name}`, x1: x(value), x2: x(value), y1: 6 + 13 * row, y2: bottom }),
      svg("text", { x: value > most / 2 ? x(value) - 4 : Number(x(value)) + 4, y: 14 + 13 * row, "text-anchor": value > most / 2 ? "end" : "start" }, name)];
    const line = minimum < maximum ? [[0, 0], [minimum, 0], [maximum, probability], [maximum, 100], [most, 100]] : [[0, 0], [maximum, 0], [maximum, 100], [most, 100]];
    return svg("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title },
      ...[0, 50, 100].flatMap((share) => [svg("line", { class: "grid", x1: left, x2: width - 12, y1: y(share), y2: y(share) }),
        svg("text", { x: left - 4, y: Number(y(share)) + 4, "text-anchor": "end" }, `${share} %`)]),
      svg("polyline", { class: "chance", points: line.map(([depth, share]) => `${x(depth)},${y(share)}`).join(" ") }),
      ...label(minimum, "Kmin", 2), ...label(maximum, "Kmax", 1), ...label(limits.queue, "pause", 0),
      svg("text", { x: left, y: bottom + 16 }, "0"), svg("text", { x: width - 12, y: bottom + 16, "text-anchor": "end" }, bytes(Math.round(most))),
      svg("text", { x: (width + left) / 2, y: height - 8, "text-anchor": "middle" }, "queue depth"));
  }

  function slider(name, max, value, text, act) {
    const id = `whatif-${name}`, told = h("output", { for: id }, text(value));
    const input = h("input", { id, type: "range", min: 0, max, value, step: 1, "aria-valuetext": text(value), disabled: max === 0,
      oninput: () => { told.textContent = text(Number(input.value)); input.setAttribute("aria-valuetext", told.textContent); act(Number(input.value)); } });
    return h("div", { class: "slider" }, h("label", { for: id }, name), input, told);
  }

  const groupName = (fabric, [cables, speed, ports]) => `${ports} x ${fabric.speeds[speed]}, ${fabric.cables[cables][1]} m ${fabric.cables[cables][0] ? "to servers" : "to switches"}`;

  // Reads the choice of an address: fabric, switch, group, then length, MTU, speed and ports.
  function choiceOf(data, [name, switchName, group, meters, mtu, speed, ports]) {
    const names = Object.keys(data).filter((each) => data[each].kinds.some((kind) => kind.memory !== null));
    const fabric = data[names.includes(name) ? name : names[0]];
    if (!fabric) return null;
    const known = fabric.kinds.map((kind, number) => [kind, number]).filter(([kind]) => kind.memory !== null);
    const [kind, number] = known.find(([each]) => each.switches.includes(switchName)) ?? known[0];
    const chosen = fabricgen.whatIf.designed(fabric, number, kind.groups[group] ? Number(group) : 0);
    const place = (values, value, other) => values.indexOf(value) < 0 ? other : values.indexOf(value);
    chosen.length = place(fabric.lengths, Number(meters), chosen.length);
    chosen.mtu = place(fabric.mtus, Number(mtu), chosen.mtu);
    chosen.speed = place(fabric.speeds, speed, chosen.speed);
    if (/^\d{1,6}$/.test(ports ?? "")) chosen.ports = Math.max(1, Math.min(Number(ports), kind.most[chosen.speed]));
    return { name: names.find((each) => data[each] === fabric), names, fabric, kind, chosen };
  }

  function faults(rows, kind, title) {
    return rows.length ? [h("h3", {}, title), h("ul", { class: "faults" }, rows.map(([code, text]) => h("li", {}, h("span", { class: `mark ${kind}` }, code), ` ${text}`)))] : [];
  }

  const terms = (caption, rows) => table(caption, ["term", "bytes", "source"], rows.map((each) => [each.name, each.value.toLocaleString("en"), each.source]));

  function result({ fabric, kind, chosen }) {
    const now = fabricgen.whatIf.answer(fabric, chosen), was = fabricgen.whatIf.answer(fabric, fabricgen.whatIf.designed(fabric, chosen.kind, chosen.group));
    const rows = [["Headroom of a port and class", now.port.headroom, was.port.headroom], ["Headroom of the switch", now.memory.headroom, was.memory.headroom],
      ["Asked by all ports", now.memory.needed, was.memory.needed], ["Remains shared", now.memory.shared, was.memory.shared],
      ["Pause of this switch at", now.memory.pause, was.memory.pause], ["First pause in the fabric at", now.first, was.first]];
    const points = now.marking.filter((each) => each.speed === chosen.speed);
    const verdict = now.refused.length ? `${now.refused.length} ${now.refused.length === 1 ? "rule breaks" : "rules break"}: fabricgen check refuses this.` : "Nothing breaks.";
    return { verdict, isGood: !now.refused.length, parts: [
      table("Result", ["value", "now", "design"], rows.map(([name, value, before]) => [name, bytes(value), bytes(before)])),
      ...faults(now.refused, "error", "What breaks"), ...faults(now.warned, "warning", "Warnings"),
      h("div", { class: "curves" }, points.map((each) => h("figure", {},
        h("figcaption", {}, `ECN of ${each.class} on ${fabric.speeds[each.speed]} ports: Kmin ${bytes(each.minimum)}, Kmax ${bytes(each.maximum)}, ${each.probability} %; the queue pauses at ${bytes(each.limits.queue)}.`),
        curve(each, `Marking probability of ${each.class} by queue depth: 0 up to ${bytes(each.minimum)}, ${each.probability} % at ${bytes(each.maximum)}, then 100 %. Pause at ${bytes(each.limits.queue)}.`)))),
      h("p", {}, `Rule of the headroom: ${now.port.rule}. ${now.port.row ?? ""} Computed: ${bytes(now.port.computed)}. Round trip: ${now.trip.toLocaleString("en")} ns. Chip: ${kind.chip}: ${kind.chip_source}`),
      h("h3", {}, "Terms of the computed headroom"), terms("Terms of the headroom of a port", now.port.terms),
      h("h3", {}, "Shares of the memory"), terms("Shares of the memory of the switch", now.memory.terms),
      ...points.filter((each) => each.terms.length).map((each) => [h("h3", {}, `Terms of the ECN points of ${each.class}`), terms(`Terms of ECN of ${each.class}`, each.terms)])] };
  }

  return async (body, ...parts) => {
    const state = choiceOf(await load("whatif"), parts);
    if (!state) return;
    const { fabric, kind, chosen, names, name } = state;
    const verdict = h("p", { class: "verdict", role: "status" }), place = h("div", {});
    const [, , most] = kind.groups[chosen.group];
    const keep = () => history.replaceState(null, "", address("lossless", name, kind.switches[0], chosen.group, fabric.lengths[chosen.length], fabric.mtus[chosen.mtu], fabric.speeds[chosen.speed], chosen.ports));
    const fill = () => {
      const shown = result(state);
      verdict.textContent = shown.verdict;
      verdict.className = `verdict mark ${shown.isGood ? "note" : "error"}`;
      place.replaceChildren(...shown.parts.flat());
    };
    const set = (key, value) => { chosen[key] = value; fill(); keep(); };
    const go = (...to) => { location.hash = address("lossless", ...to); };
    const select = (label, values, value, act) => h("label", {}, `${label} `, h("select", { onchange: (event) => act(event.target.value) },
      values.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text))));
    let countSlider = h("div", {});
    const counting = () => {
      const top = Math.max(kind.most[chosen.speed], most);
      chosen.ports = Math.min(chosen.ports, top);
      const made = slider("Ports", top - 1, chosen.ports - 1, (value) => String(value + 1), (value) => set("ports", value + 1));
      countSlider.replaceWith(made);
      countSlider = made;
    };
    body.append(h("section", { class: "whatif", "aria-labelledby": "whatif" }, h("h2", { id: "whatif" }, "What if"),
      h("p", {}, "Length and MTU change the whole fabric: all cables with the same ends and length. Speed and ports change this kind of switch only. The memory grows in proportion to the ports; the rest is computed as the design is."),
      h("div", { class: "choices" },
        names.length > 1 ? select("Fabric", names.map((each) => [each, each]), name, (value) => go(value)) : "",
        select("Switch", fabric.kinds.filter((each) => each.memory !== null).map((each) => [each.switches[0], each.switches.length > 1 ? `${each.switches[0]} and ${each.switches.length - 1} more` : each.switches[0]]), kind.switches[0], (value) => go(name, value)),
        select("Ports", kind.groups.map((group, number) => [number, groupName(fabric, group)]), chosen.group, (value) => go(name, kind.switches[0], value)),
        h("a", { href: address("lossless", name, kind.switches[0], chosen.group) }, "As designed")),
      h("div", { class: "sliders" },
        slider("Cable", fabric.lengths.length - 1, chosen.length, (value) => `${fabric.lengths[value]} m`, (value) => set("length", value)),
        slider("MTU", fabric.mtus.length - 1, chosen.mtu, (value) => `${fabric.mtus[value]} bytes`, (value) => set("mtu", value)),
        slider("Speed", fabric.speeds.length - 1, chosen.speed, (value) => fabric.speeds[value], (value) => { chosen.speed = value; counting(); fill(); keep(); }),
        countSlider),
      verdict, place));
    counting();
    fill();
  };
})();
