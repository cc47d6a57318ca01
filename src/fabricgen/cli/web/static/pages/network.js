// The page of a VLAN or VRF that the search found: its numbers and its switches.
"use strict";
fabricgen.page("network", "", async (body, fabric, kind, number, name) => {
  const { h, table, link, load, count } = fabricgen;
  const [every, devices] = await Promise.all([load("search/networks"), load("devices")]);
  const found = every.find((each) => each.fabric === fabric && each.kind === kind && String(each.number) === number && each.name === name);
  if (!found) throw new Error(`${kind} ${name} in ${fabric}`);
  const title = kind === "vlan" ? `VLAN ${number} ${name}` : `VRF ${name}`;
  const facts = [["fabric", fabric], ["tenant", found.tenant], ["VNI", found.vni], ["VRF", found.vrf], ["VRF id", kind === "vrf" && number],
    ["gateway", found.gateways.join(", ")]].filter(([, value]) => value);
  body.append(h("h1", {}, title), h("dl", {}, facts.map(([key, value]) => h("div", {}, h("dt", {}, key), h("dd", {}, String(value))))),
    h("h2", {}, `On ${found.switches.length.toLocaleString("en")} ${found.switches.length === 1 ? "switch" : "switches"}`),
    table("Switches", ["switch", "role", "model", "platform"], found.switches.map((place) => {
      const [own, , role, model, platform] = devices.switches[place];
      return [link(own, "switch", own), role, model, platform];
    })));
  return title;
});
