// The matrix of networks: which reach each other, by which rule, and one example of each cell.
"use strict";
fabricgen.page("tenants", "Tenants and zones", async (body, from, to) => {
  const { h, table, address, load } = fabricgen;
  const data = await load("matrix");
  const names = [...new Set(data.networks.flatMap((row) => [row.from, row.to]))];
  const cells = new Map(data.networks.map((row) => [`${row.from} ${row.to}`, row]));
  body.append(h("h1", {}, "Tenants and zones"), h("p", {}, data.ok
    ? "The rendered files agree with the model for every pair of networks."
    : "The rendered files differ from the model. The overview lists the findings."),
    h("p", {}, `${data.classes.toLocaleString("en")} classes of stations. Rows send, columns receive.`));
  const mark = (row) => {
    const outcomes = Object.keys(row.pairs);
    if (outcomes.length > 1) return ["part", "warning"];
    return { reaches: ["yes", "note"], "does not reach": ["no", "dim"] }[outcomes[0]] ?? ["?", "warning"];
  };
  body.append(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Matrix" }, h("table", { class: "matrix" },
    h("caption", {}, "Reachability"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "from \\ to"), names.map((name, index) => h("th", { scope: "col", title: name }, String(index + 1))))),
    h("tbody", {}, names.map((one, index) => h("tr", {}, h("th", { scope: "row" }, `${index + 1} ${one}`),
      names.map((other) => {
        const row = cells.get(`${one} ${other}`);
        if (!row) return h("td", {}, "-");
        const [text, kind] = mark(row);
        return h("td", {}, h("a", { class: `mark ${kind}`, href: address("tenants", one, other), "aria-label": `${one} to ${other}: ${text}` }, text));
      })))))));
  const row = cells.get(`${from} ${to}`);
  if (row) {
    body.append(h("h2", { "data-target": true }, `${from} to ${to}`));
    for (const [outcome, rule] of Object.entries(row.rules)) {
      const example = data.examples[`${from} ${to}`]?.[outcome];
      body.append(h("h3", {}, `${outcome}: ${row.pairs[outcome].toLocaleString("en")} pairs`), h("p", {}, `Rule: ${rule}`));
      if (example) body.append(h("p", {}, example.packet), h("p", { class: "dim" }, example.stops),
        example.hops.length > 0 && h("ol", {}, example.hops.map(([node, act]) => h("li", {}, h("strong", {}, node), ` ${act}`))));
    }
  }
  return "Tenants and zones";
}, (site) => site.ok);
