// The panel beside a topology: facts of the chosen switch, group, bundle of cables, or cable.
"use strict";
fabricgen.topology.panel = (() => {
  const { h, table, link, load, count } = fabricgen;
  const { shape } = fabricgen.topology;
  const MOST = 200;   // rows of a table of cables
  const PARTS = 8;    // chunks of cables that one bundle loads

  const switches = (number) => `${number.toLocaleString("en")} ${number === 1 ? "switch" : "switches"}`;
  const facts = (rows) => h("dl", {}, rows.filter(([, value]) => value || value === 0).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  const bytes = (value) => `${value.toLocaleString("en")} bytes`;

  // The bundles at an item, as links. They are the way to a line by keyboard.
  function neighbors(view, item) {
    const found = view.bundles.filter((each) => each.low === item || each.high === item);
    if (!found.length) return "";
    return table("Links", ["to", "cables"], found.slice(0, MOST).map((each) =>
      [h("a", { href: view.hrefOf(each), "data-go": true }, (each.low === item ? each.high : each.low).key), view.sumOf(each)]));
  }

  async function ofSwitch(view, item) {
    const one = view.fabric.switches[item.places[0]];
    const { facts: known } = await load(`switch/${one.name}`);
    const cabled = known.ports.filter((port) => port.peer);
    return [h("h2", {}, one.name), h("p", {}, link(`Page of ${one.name}`, "switch", one.name)),
      facts([["role", one.role], ["model", one.model], ["platform", one.platform], ["plane", one.plane], ["pod", one.pod], ["unit", one.unit], ["group", one.group],
        ["AS number", known.asn && String(known.asn)], ["loopback", known.loopback], ["management", known.management], ["servers", shape.serversAt(view.fabric, item.places).size]]),
      neighbors(view, item),
      h("details", {}, h("summary", {}, count(cabled.length, "cable")), table("Cables", ["port", "other end", "speed"], cabled.map((port) =>
        [h("a", { href: view.hrefOf({ key: `${one.name}:${port.port}` }), "data-go": true }, port.port), port.peer.join(":"), port.speed])))];
  }

  function ofGroup(view, key, node, item) {
    const inside = node.all.map((place) => view.fabric.switches[place]);
    const tally = (name) => [...Map.groupBy(inside, (each) => each[name])].map(([value, found]) => `${found.length.toLocaleString("en")} ${value}`).join(", ");
    const shown = [h("h2", {}, key), facts([["switches", tally("role")], ["models", tally("model")], ["platforms", tally("platform")],
      ["servers", shape.serversAt(view.fabric, node.all).size.toLocaleString("en")]])];
    if (item) shown.push(h("p", {}, h("a", { href: view.hrefOf(item), "data-go": true }, `Unfold ${key}`)), neighbors(view, item));
    else shown.push(h("p", {}, h("a", { href: view.foldOf(node), "data-go": true }, `Fold ${key}`)));
    return shown;
  }

  function ofServers(view, item) {
    const names = [...shape.serversAt(view.fabric, item.places)].map((number) => view.fabric.serverNames[number]);
    return [h("h2", {}, item.key), h("p", {}, count(names.length, "server")), neighbors(view, item),
      h("ul", { class: "names", tabindex: "0", "aria-label": "Servers" }, names.slice(0, MOST).map((name) => h("li", {}, link(name, "server", name)))),
      names.length > MOST && h("p", { class: "dim" }, `and ${names.length - MOST} more`)];
  }

  // The cables of some parts: lower, port, upper, port, speed, meters, state.
  async function cablesOf(view, parts) {
    const chunks = await Promise.all(parts.map((part) => load(`topology/${view.fabric.name}/${part}`)));
    return chunks.flatMap(({ cables, words }) => cables.map(([lower, lowerPort, upper, upperPort, speed, meters, state]) => ({
      lower: words[lower], lowerPort: words[lowerPort], upper: words[upper], upperPort: words[upperPort], speed: words[speed], meters, state: words[state] })));
  }

  // A cable is named by its end at a switch: that nearer to the servers, if both are switches.
  function keyOf(view, cable) {
    return view.placeOf.has(cable.lower) ? `${cable.lower}:${cable.lowerPort}` : `${cable.upper}:${cable.upperPort}`;
  }

  async function ofBundle(view, bundle) {
    const names = (item) => new Set(item.places.map((place) => view.fabric.switches[place].name));
    const low = bundle.low.kind === "servers" ? null : names(bundle.low), high = names(bundle.high);
    const fits = ({ lower, upper }) => low === null ? !view.placeOf.has(lower) && high.has(upper)
      : low.has(lower) && high.has(upper) || high.has(lower) && low.has(upper);
    const found = (await cablesOf(view, [...bundle.parts].slice(0, PARTS))).filter(fits);
    const states = [...bundle.states].filter(([state]) => state).map(([state, number]) => `${number.toLocaleString("en")} ${state}`).join(", ");
    return [h("h2", {}, bundle.key), facts([["cables", view.sumOf(bundle)], ["not active", states]]),
      bundle.count > MOST || found.length < bundle.count ? h("p", { class: "dim" }, `The first ${Math.min(MOST, found.length)} of ${count(bundle.count, "cable")}. Unfold a group to see fewer.`) : "",
      table("Cables", ["lower end", "upper end", "speed", "length", "state"], found.slice(0, MOST).map((each) =>
        [h("a", { href: view.hrefOf({ key: keyOf(view, each) }), "data-go": true }, `${each.lower}:${each.lowerPort}`), `${each.upper}:${each.upperPort}`, each.speed, `${each.meters} m`, each.state || "active"]))];
  }

  // The end of an address NAME:PORT, or null.
  function endOf(view, text) {
    const at = text.lastIndexOf(":");
    return at > 0 && view.placeOf.has(text.slice(0, at)) ? { name: text.slice(0, at), port: text.slice(at + 1) } : null;
  }

  async function cableAt(view, { name, port }) {
    const here = (cable) => cable.lower === name && cable.lowerPort === port || cable.upper === name && cable.upperPort === port;
    const own = (await cablesOf(view, [view.fabric.switches[view.placeOf.get(name)].part])).find(here);
    if (own) return own;
    const [peer] = (await load(`switch/${name}`)).facts.ports.find((each) => each.port === port)?.peer ?? [];
    return view.placeOf.has(peer) ? (await cablesOf(view, [view.fabric.switches[view.placeOf.get(peer)].part])).find(here) : undefined;
  }

  // The row of a port in the chunk of its switch or server, and its sessions.
  async function portOf(view, name, label) {
    if (!view.placeOf.has(name)) {
      const { ports } = await load(`server/${name}`);
      return { page: "server", port: ports.find((each) => each.name === label && each.fabric === view.fabric.name) ?? {}, sessions: [] };
    }
    const known = (await load(`switch/${name}`)).facts;
    return { page: "switch", port: known.ports.find((each) => each.port === label) ?? {}, sessions: known.sessions.filter((each) => each.port === label) };
  }

  // The headroom of a lossless switch for cables of this speed and length.
  async function headroomOf(view, name, cable) {
    const { lossless } = await load("site");
    if (!lossless || !view.placeOf.has(name)) return "";
    const kind = (await load("lossless")).switches.find((each) => each.switches.includes(name));
    const port = kind?.ports.find((each) => each.speed === cable.speed && each.meters === cable.meters);
    return port ? bytes(port.headroom_bytes) : "";
  }

  async function ofEnd(view, cable, name, label) {
    const [{ page, port, sessions }, headroom] = await Promise.all([portOf(view, name, label), headroomOf(view, name, cable)]);
    return [h("h3", {}, link(name, page, name), ` port ${label}`),
      facts([["use", port.use ?? port.network], ["MTU", port.mtu && String(port.mtu)], ["address", port.address ?? (port.link_local && "IPv6 link-local")], ["VRF", port.vrf], ["headroom", headroom]]),
      ...sessions.map((each) => h("p", {}, `BGP ${each.kind} session with ${each.peer}, AS ${each.peer_asn}`, each.remote ? `: ${each.local} to ${each.remote}` : ""))];
  }

  async function ofCable(view, text) {
    const end = endOf(view, text), cable = end && await cableAt(view, end);
    if (!cable) return [h("h2", {}, "Not found"), h("p", {}, `The fabric ${view.fabric.name} shows no ${text} in this view.`)];
    const { lower, lowerPort, upper, upperPort } = cable;
    const ends = await Promise.all([ofEnd(view, cable, lower, lowerPort), ofEnd(view, cable, upper, upperPort)]);
    return [h("h2", {}, `Cable ${lower}:${lowerPort} - ${upper}:${upperPort}`),
      facts([["speed", cable.speed], ["length", `${cable.meters} m`], ["state", cable.state || "active"]]), ends];
  }

  function ofNothing(view) {
    const sum = view.fabric.bundles.reduce((total, each) => total + each[4], 0);
    return [h("h2", {}, view.fabric.name), facts([["design", view.fabric.design], ["switches", switches(view.fabric.switches.length)], ["servers", count(view.fabric.serverNames.length, "server")], ["cables", count(sum, "cable")]]),
      h("p", {}, "Choose a switch, a group or a link.")];
  }

  // The content for what a view has chosen.
  async function panel(view) {
    if (!view.selected) return ofNothing(view);
    const item = view.items.find((each) => each.key === view.selected);
    if (item?.kind === "switch") return ofSwitch(view, item);
    if (item?.kind === "servers") return ofServers(view, item);
    const node = view.tree.nodes.slice(1).find((each) => shape.keyOf(each) === view.selected);
    if (node) return ofGroup(view, view.selected, node, item);
    const bundle = view.bundles.find((each) => each.key === view.selected);
    return bundle ? ofBundle(view, bundle) : ofCable(view, view.selected);
  }

  return { panel, endOf };
})();
