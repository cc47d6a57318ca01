// The lossless page: packet memory, headroom with its terms, ECN points, and what the files say.
"use strict";
fabricgen.page("lossless", "Lossless", async (body, ...parts) => {
  const { h, table, link, load } = fabricgen;
  const data = await load("lossless");
  const bytes = (value) => value === null || value === undefined ? "not known" : `${value.toLocaleString("en")} bytes`;
  const terms = (caption, rows) => table(caption, ["term", "value", "source"], rows.map((term) => [term.name, term.value.toLocaleString("en"), term.source ?? ""]));
  body.append(h("h1", {}, "Lossless classes"), h("p", {}, "Headroom holds the packets that arrive after a pause. Every number has its terms and the line of a file that carries it."));
  await fabricgen.whatIfView(body, ...parts);
  for (const kind of data.switches) {
    const first = kind.switches[0];
    body.append(h("h2", {}, link(first, "switch", first), kind.switches.length > 1 ? ` and ${kind.switches.length - 1} more` : ""),
      h("p", {}, `${kind.model} (${kind.asic}), ${bytes(kind.memory_bytes)} of packet memory, cell ${kind.cell_bytes} bytes, alpha ${kind.alpha}. Source: ${kind.memory_source}`));
    const svg = data.pictures[first];
    if (svg) body.append(h("img", { class: "picture", alt: `Packet memory of ${first}`, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` }));
    body.append(table(`Shares of the memory of ${first}`, ["share", "bytes"], [["headroom", bytes(kind.headroom_bytes)],
      ["headroom pool", bytes(kind.headroom_pool_bytes)], ["shared", bytes(kind.shared_bytes)], ["pause at", bytes(kind.pause_at_bytes)]]));
    for (const port of kind.ports) {
      body.append(h("details", {}, h("summary", {}, `${port.count} x ${port.speed} on ${port.meters} m: ${bytes(port.headroom_bytes)} of headroom`),
        h("p", {}, port.rule), port.warning ? h("p", { class: "mark warning" }, port.warning) : "", terms(`Terms of ${first}, ${port.speed} on ${port.meters} m`, port.terms)));
    }
    for (const file of kind.files) {
      body.append(h("details", {}, h("summary", {}, `Proof by the files of ${kind.files_of}: port ${file.port}, class ${file.class}`),
        table(`Rules of ${file.port} of ${kind.files_of}, class ${file.class}`, ["rule", "result", "arithmetic", "lines"], file.claims.map((claim) => [claim.rule,
          h("span", { class: `mark ${claim.state === "holds" ? "note" : "warning"}` }, claim.state), claim.arithmetic, claim.lines.map((line) => h("div", {}, line))]))));
    }
  }
  for (const [fabric, rows] of Object.entries(data.marking)) {
    body.append(h("h2", {}, `ECN of ${fabric}`), table(`ECN of ${fabric}`, ["class", "speed", "minimum", "maximum", "probability"],
      rows.map((row) => [row.of ? `${row.class} (${row.of})` : row.class, row.speed, bytes(row.minimum_bytes), bytes(row.maximum_bytes), `${row.probability_percent} %`])));
    const classes = data.classes[fabric] ?? [];
    body.append(table(`Classes of ${fabric}`, ["class", "DSCP", "queue", "paused priority"], classes.map((row) =>
      [row.class, row.dscps.join(", "), String(row.number), row.paused_priority === null ? "-" : String(row.paused_priority)])));
  }
}, (site) => site.ok && site.lossless);
