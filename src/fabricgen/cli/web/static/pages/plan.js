// Racks and bill: pictures of the floor, racks and fabrics, each rack with its devices, and the bill.
"use strict";
(() => {
  const { h, table, link, load, count } = fabricgen;
  const text = (value) => value === null || value === "" ? "" : typeof value === "number" ? value.toLocaleString("en") : String(value);
  const source = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  // The size is in the attributes, so nothing moves when the picture comes.
  function picture(svg, alt) {
    const [, width, height] = svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/) ?? [];
    return h("div", { class: "scroll drawing", tabindex: "0", role: "region", "aria-label": alt }, h("img", { src: source(svg), alt, width: width && Math.ceil(width), height: height && Math.ceil(height) }));
  }

  // A picture that loads when it is opened. Print shows the opened ones.
  function folded(name) {
    const title = name === "floor" ? "Floor" : name.replace("racks/row-", "Racks of row ").replace("topology/", "Fabric ");
    const place = h("div", {}), made = h("details", {}, h("summary", {}, title), place);
    const fill = async () => { if (!place.firstChild) place.append(picture(await load(`picture/${name}`), title)); };
    made.addEventListener("toggle", () => { if (made.open) fill(); });
    return made;
  }

  async function whole(body, data) {
    body.append(h("h1", {}, "Racks and bill"));
    if (data.racks.length) {
      body.append(h("h2", {}, "Racks"), table("Racks", ["rack", "type", "row", "position", "units", "devices", "watts at most"], data.racks.map((rack) =>
        [link(rack.name, "plan", rack.name), rack.type, text(rack.row), text(rack.position), text(rack.units), text(rack.devices.length), text(rack.watts)])));
    } else body.append(h("p", {}, "The intent places no racks, so the plan has cables and parts only."));
    body.append(h("h2", {}, "Pictures"));
    const [first, ...others] = data.pictures;
    if (first) body.append(h("h3", {}, first === "floor" ? "Floor" : first), picture(await load(`picture/${first}`), first === "floor" ? "The floor from above" : first));
    body.append(...others.map(folded));
    body.append(h("h2", {}, "Bill of materials"), h("ul", { class: "tiles" }, data.totals.map(([kind, number]) => h("li", {}, h("strong", {}, text(number)), ` ${kind}`))));
    for (const sheet of data.bill) {
      if (sheet.rows.length) body.append(h("h3", {}, sheet.name), table(`Bill: ${sheet.name}`, sheet.columns.map((each) => each.replaceAll("_", " ")), sheet.rows.map((row) => row.map(text))));
    }
  }

  async function one(body, data, name) {
    const rack = data.racks.find((each) => each.name === name);
    if (!rack) throw new Error(`rack ${name}`);
    const power = data.bill.find((sheet) => sheet.name === "power"), row = power?.rows.find((each) => each[0] === name);
    const at = data.racks.indexOf(rack), beside = [data.racks[at - 1], data.racks[at + 1]];
    const { switches, servers } = await load("devices");
    const pages = new Map([...switches.map(([each]) => [each, "switch"]), ...servers.map(([each]) => [each, "server"])]);
    body.append(h("p", {}, link("Racks and bill", "plan")), h("h1", {}, `Rack ${name}`),
      h("p", {}, `${rack.type}, row ${rack.row}, position ${rack.position}, ${count(rack.units, "unit")}.`, beside.map((each) => each ? [" ", link(each.name, "plan", each.name)] : "")),
      picture(await load(`picture/rack/${name}`), `Front of rack ${name}`),
      table(`Devices of rack ${name}`, ["unit", "units", "device", "kind", "watts"], rack.devices.map(([unit, units, device, kind, watts]) =>
        [unit === null ? "side" : text(unit), text(units), pages.has(device) ? link(device, pages.get(device), device) : device, kind, text(watts)])));
    if (row) body.append(h("h2", {}, "Power"), h("dl", {}, power.columns.slice(1).map((column, number) => row[number + 1] === "" ? "" : h("div", {}, h("dt", {}, column.replaceAll("_", " ")), h("dd", {}, text(row[number + 1]))))));
    return `Rack ${name}`;
  }

  fabricgen.page("plan", "Racks and bill", async (body, name) => {
    const data = await load("plan");
    body.classList.add("words");
    return name ? one(body, data, name) : whole(body, data);
  }, (site) => site.ok && site.planned);
})();
