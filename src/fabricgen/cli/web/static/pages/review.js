// The review of a change: what it means, its causes and effects, who is hit, and equal changes.
"use strict";
(() => {
  const { h, table, load, count, address } = fabricgen;
  const WORST = { reboot: "error", "lossless-disruptive": "error", "session-reset": "warning" };
  const risk = (word) => word ? h("span", { class: `mark ${WORST[word] ?? "note"}` }, word) : "";
  const place = (at) => at ? `${at.file}:${at.line}` : "";
  const names = (every, most = 6) => every.length > most ? `${every.slice(0, most).join(", ")} and ${every.length - most} more` : every.join(", ");
  const value = (text) => text === null || text === undefined || text === "" ? "none" : typeof text === "string" ? text : JSON.stringify(text);

  function summary(data) {
    const lines = data.blocks.reduce(([plus, minus], block) => [plus + block.added, minus + block.removed], [0, 0]);
    const fact = (term, ...what) => h("div", {}, h("dt", {}, term), h("dd", {}, what));
    return [h("p", {}, data.what), h("p", {}, data.risk), ...(data.who ?? []).map((each) => h("p", {}, each)),
      h("dl", {}, fact("from", data.before), fact("to", data.after), fact("changed", `${data.changed.length} of ${count(data.devices, "device")}`),
        fact("lines", `+${lines[0].toLocaleString("en")} -${lines[1].toLocaleString("en")}`),
        ...Object.entries(data.blast_radius).map(([word, number]) => fact(word, count(number, "device")))),
      ...data.notes.map((note) => h("p", { class: "dim" }, note))];
  }

  function causes(data) {
    return [h("h2", { id: "causes" }, "Causes"), data.causes.length
      ? table("Causes", ["number", "kind", "key", "before", "after", "place"], data.causes.map((each, number) => [String(number + 1), each.kind, each.path, value(each.before), value(each.after),
        [place(each.old), place(each.new)].filter((at, index, every) => at && every.indexOf(at) === index).map((at) => h("div", {}, at))]))
      : h("p", {}, "No key of the intent changed.")];
  }

  function effects(data) {
    return [h("h2", { id: "effects" }, "Effects"), data.effects.length
      ? table("Effects", ["effect", "risk", "on", "causes"], data.effects.map((each) => [h("span", { class: each.derived ? "dim" : undefined }, each.text), risk(each.risk), names(each.on), each.causes.map((one) => one + 1).join(", ")]))
      : h("p", {}, "Nothing changes on the network.")];
  }

  function hits(data) {
    const told = data.hits === null ? h("p", {}, "This installation or these sides do not tell who is hit.")
      : data.hits.length ? table("Who is hit", ["loss", "servers", "GPUs", "tenants and jobs", "lasts", "drain", "by", "why"], data.hits.map((each) =>
        [each.text, names(each.servers), each.gpus.toLocaleString("en"), names([...each.tenants, ...each.jobs]), each.lasts, each.drain, names(each.by), each.why]))
      : h("p", {}, "No server loses anything.");
    const order = data.order?.batches.length ? [h("h2", {}, "Order of a push"), h("ol", {}, data.order.batches.map((batch) => h("li", {}, `${batch.fabric}: ${names(batch.switches)}. ${batch.why}`, batch.warnings.map((each) => h("p", { class: "mark warning" }, each)))))] : [];
    return [h("h2", { id: "hit" }, "Who is hit"), told, ...order];
  }

  function lines(shape) {
    const row = (sign, text) => h("li", { class: sign === "+" ? "plus" : "minus" }, h("code", {}, `${sign} ${text}`));
    return h("ol", { class: "lines", tabindex: "0", "aria-label": `Changed lines of ${shape.file}` }, shape.place.map((each) => h("li", { class: "dim" }, h("code", {}, `  ${each}`))),
      shape.removed.map((each) => row("-", each)), shape.added.map((each) => row("+", each)));
  }

  function shapeOf(shape, caption) {
    const width = Math.max(0, ...shape.rows.map((row) => row.values.length));
    return [h("p", {}, `${shape.file}, ${count(shape.rows.length, "place")}${shape.whole ? ", the whole section" : ""}`), lines(shape),
      width ? table(caption, ["device", ...Array.from({ length: width }, (_, number) => `{${number + 1}}`)], shape.rows.map((row) => [row.device, ...row.values])) : ""];
  }

  function block(each, number, chosen) {
    const title = `${count(each.folders.length, "device")} ${each.status}: ${names(each.folders, 3)}, +${each.added} -${each.removed}`;
    return h("details", { open: number === chosen, id: `block-${number}` },
      h("summary", { "data-target": number === chosen }, risk(each.risk), ` ${title}`),
      h("p", {}, h("a", { href: address("review", String(number)) }, "Link to these changes")),
      each.reasons.length ? table(`Risks of changes ${number}`, ["risk", "where", "reason", "source"], each.reasons.map((why) => [risk(why.risk), [why.file, why.place].filter(Boolean).join(": "), why.reason, why.source])) : "",
      each.folders.length > 3 ? h("p", {}, each.folders.join(", ")) : "",
      each.shapes.map((shape, at) => shapeOf(shape, `Values of changes ${number}.${at + 1}`)));
  }

  fabricgen.page("review", "Review", async (body, number) => {
    const data = await load("review");
    body.classList.add("words");
    body.append(h("h1", {}, "Review"), ...summary(data), ...hits(data), ...effects(data), ...causes(data), h("h2", { id: "blocks" }, "Equal changes"),
      ...(data.blocks.length ? data.blocks.map((each, at) => block(each, at + 1, Number(number))) : [h("p", {}, "No file changes.")]));
    if (data.unexplained.length) body.append(h("h2", {}, "Not explained"), table("Lines without an effect", ["file", "line"], data.unexplained.map((each) => [`${each.folder}/${each.file}`, each.line])));
  }, (site) => Boolean(site.reviewed));
})();
