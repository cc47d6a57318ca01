// The index of switches and servers, and the page of each one: ports, files and the reason of each line.
"use strict";
(() => {
  const { h, table, link, address, load, page, count } = fabricgen;
  const STEP = 500;

  page("devices", "Switches and servers", async (body) => {
    const { switches, servers } = await load("devices");
    body.append(h("h1", {}, "Switches and servers"));
    body.append(filtered("Switches", ["name", "fabric", "role", "model", "platform"],
      switches, ([name, ...rest]) => [link(name, "switch", name), ...rest]));
    body.append(filtered("Servers", ["name", "kind"], servers, ([name, kind]) => [link(name, "server", name), kind]));
  }, (site) => site.ok);

  // A table with a filter above. It shows the first 500 rows that match.
  function filtered(title, head, rows, cells) {
    const place = h("div"), note = h("p", { class: "dim", role: "status" });
    const fill = (word) => {
      const found = rows.filter((row) => row.some((cell) => cell.toLowerCase().includes(word)));
      note.textContent = found.length > STEP ? `${STEP} of ${count(found.length, "row")}` : count(found.length, "row");
      place.replaceChildren(table(title, head, found.slice(0, STEP).map(cells)));
    };
    const input = h("input", { type: "search", "aria-label": `Filter ${title}`, placeholder: "Filter",
      oninput: () => fill(input.value.toLowerCase()) });
    fill("");
    return h("section", {}, h("h2", {}, title), input, note, place);
  }

  page("switch", "", async (body, name, file, line) => {
    const data = await load(`switch/${name}`);
    const facts = data.facts;
    body.append(h("h1", {}, name), h("p", {}, `${data.fabric} ${data.role}, ${data.model}, ${data.platform}`,
      facts.release ? ` ${facts.release}` : ""));
    body.append(definitions([["AS number", facts.asn], ["loopback", facts.loopback], ["VTEP", facts.vtep],
      ["router ID", facts.router_id], ["management", facts.management], ["plane", data.place.plane],
      ["pod", data.place.pod], ["unit", data.place.unit], ["rails", facts.rails.join(", ")]]));
    body.append(h("h2", {}, "Ports"), faceplate(facts.ports),
      table("Ports", ["port", "use", "speed", "MTU", "other end", "address", "VLANs"], facts.ports.map((port) => [
        h("span", { id: `port-${port.port}` }, port.port), port.use, port.speed, String(port.mtu),
        other(port), port.address ?? "", vlans(port.vlans)])));
    await files(body, "switch", name, file, line);
    return name;
  });

  page("server", "", async (body, name, file, line) => {
    const data = await load(`server/${name}`);
    body.append(h("h1", {}, name), h("p", {}, data.kind ? `${data.kind} server` : "server"));
    body.append(h("h2", {}, "Ports"), table("Ports",
      ["port", "fabric", "network", "rail", "bond", "switch", "switch port", "speed", "cable"],
      data.ports.map((port) => [port.name, port.fabric, port.network, port.rail ? String(port.rail) : "", port.bond,
        link(port.switch, "switch", port.switch), port.switch_port, port.speed, `${port.meters} m`])));
    await files(body, "server", name, file, line);
    return name;
  });

  function other(port) {
    if (!port.peer) return port.outside ? `outside: ${port.outside}` : "";
    const [name, end] = port.peer;
    return [link(name, port.use === "fabric" ? "switch" : "server", name), ` ${end}`];
  }
  function vlans(carries) {
    if (!carries) return "";
    const tagged = carries.tagged.join(", ");
    return [carries.untagged ? `${carries.untagged} untagged` : "", tagged && `${tagged} tagged`].filter(Boolean).join("; ");
  }
  function definitions(rows) {
    return h("dl", {}, rows.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== 0)
      .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))));
  }

  // The faceplate: two rows of cages, as on the front of the switch. A cage links to its row in the table.
  function faceplate(ports) {
    const cages = new Map();
    for (const port of ports) {
      const cage = Number(port.port.split("/")[0]);
      if (!cages.has(cage)) cages.set(cage, []);
      cages.get(cage).push(port);
    }
    const last = Math.max(0, ...cages.keys());
    return h("ol", { class: "faceplate", tabindex: "0", "aria-label": "Faceplate" }, Array.from({ length: last }, (_, index) => {
      const found = cages.get(index + 1) ?? [];
      const uses = [...new Set(found.map((port) => port.use))].join(", ") || "free";
      const ends = found.map((port) => `${port.port} ${port.peer ? port.peer[0] : port.outside ?? ""}`).join(", ");
      return h("li", { class: `use-${found[0]?.use ?? "free"}`, title: `${index + 1}: ${uses} ${ends}` }, String(index + 1));
    }));
  }

  async function files(body, page, name, chosen, line) {
    body.append(h("h2", {}, "Files"));
    let data;
    try { data = await load(`files/${name}`); } catch {
      body.append(h("p", {}, `This report has no files of ${name}. The option --${page} ${name} of fabricgen report adds them.`));
      return;
    }
    const names = Object.keys(data.files);
    if (!names.length) { body.append(h("p", {}, "This server has no files.")); return; }
    const file = names.includes(chosen) ? chosen : names[0];
    body.append(h("ul", { class: "tabs", "aria-label": "Files" }, names.map((each) => h("li", {},
      h("a", { href: address(page, name, each), "aria-current": each === file && "true" }, each)))));
    const why = h("aside", { class: "why", "aria-live": "polite", tabindex: "0", "aria-label": "Reason of the line" }, h("p", {}, "Choose a line to see its reason."));
    const { lines, runs, templates } = data.files[file];
    const marksOf = runs.flatMap(([count, marks]) => Array(count).fill(marks));
    const rows = lines.split("\n").map((text, index) => {
      const number = index + 1, target = String(number) === line, marks = marksOf[index], template = templates[number];
      return h("li", { class: target && "target", "data-target": target },
        h("a", { href: address(page, name, file, String(number)), class: "number", "aria-label": `line ${number}` }, String(number)),
        h("code", {}, ...colored(text)),
        target ? (why.replaceChildren(...reasons(data, text, marks, template, number)), "") : "");
    });
    body.append(h("div", { class: "file" },
      h("ol", { class: "lines", tabindex: "0", "aria-label": file }, rows), why));
  }

  function reasons(data, text, marks, template, number) {
    const shown = [h("h3", {}, `Line ${number}`), h("pre", {}, text.trim())];
    if (template) shown.push(h("p", {}, `from the custom template ${template} of the site`));
    else if (!marks.length) shown.push(h("p", {}, "Constant on this platform."));
    for (const mark of marks) {
      const [rule, places] = data.reasons[mark];
      shown.push(h("p", {}, rule), h("ul", {}, places.map(([key, place]) =>
        h("li", {}, h("code", {}, key), place ? h("div", { class: "dim" }, place) : ""))));
    }
    for (const word of new Set(text.match(/[0-9a-f.:]*[0-9][0-9a-f.:]*/g) ?? [])) {
      if (Object.hasOwn(data.numbers, word)) shown.push(h("p", {}, h("strong", {}, word), ` ${data.numbers[word]}`));
    }
    return shown;
  }

  // Colors of a line: comments, texts in quotes, addresses and numbers, the first word.
  function colored(text) {
    if (/^\s*[!#]/.test(text)) return [h("span", { class: "c-comment" }, text)];
    const parts = [];
    const words = /("(?:[^"\\]|\\.)*")|(\b[0-9][0-9a-fA-F.:/]*\b)|([A-Za-z][\w-]*)/g;
    let end = 0, first = true;
    for (const match of text.matchAll(words)) {
      parts.push(text.slice(end, match.index));
      const kind = match[1] ? (text[match.index + match[0].length] === ":" ? "c-key" : "c-text") : match[2] ? "c-number" : first ? "c-key" : "";
      parts.push(kind ? h("span", { class: kind }, match[0]) : match[0]);
      first = false;
      end = match.index + match[0].length;
    }
    return [...parts, text.slice(end)];
  }
})();
