// The overview: fabrics, findings and checks.
"use strict";
fabricgen.page("overview", "Overview", async (body) => {
  const { h, table, link, count, load } = fabricgen;
  const site = await load("site");
  const severities = ["error", "warning", "note"];
  const open = site.findings.filter((each) => !each.until);
  const numbers = severities.map((severity) => [severity, open.filter((each) => each.severity === severity).length]);
  body.append(h("h1", {}, site.name));
  if (!site.ok) body.append(h("p", { class: "banner" }, "The site has errors. No configuration can be rendered."));
  if (site.ok) {
    body.append(h("ul", { class: "tiles" },
      site.fabrics.map((fabric) => h("li", {},
        h("h2", {}, fabric.name),
        h("p", {}, fabric.design, fabric.lossless ? ", lossless" : ""),
        h("p", {}, Object.entries(fabric.roles).map(([role, number]) => count(number, role)).join(", ")),
        h("p", {}, count(fabric.cables, "cable"), ", ", fabric.platforms.join(", ")),
        Object.keys(fabric.ratios).length > 0 && h("p", {}, "Oversubscription: ",
          Object.entries(fabric.ratios).map(([tier, ratio]) => `${tier} ${ratio.toFixed(2)}:1`).join(", ")))),
      h("li", {}, h("h2", {}, "servers"), h("p", {}, count(site.servers, "server")),
        h("p", {}, link("All switches and servers", "devices")))));
  }
  body.append(h("h2", {}, "Findings"),
    h("p", {}, open.length ? numbers.filter(([, n]) => n).map(([severity, n]) => count(n, severity)).join(", ") : "No findings."));
  if (open.length) {
    body.append(table("Findings", ["severity", "code", "place", "message and hint"], open.map((each) => [
      h("span", { class: `mark ${each.severity}` }, each.severity), each.code,
      each.file ? `${each.file}:${each.line}:${each.column}` : each.path,
      [each.message, each.hint ? h("div", { class: "dim" }, each.hint) : ""]])));
  }
  if (site.checks.length) {
    body.append(h("h2", {}, "Checks"), h("p", {}, "Each check examined these objects of the model."),
      table("Checks", ["check", "examined"], site.checks.map((each) =>
        [each.check, `${each.objects.toLocaleString("en")} ${each.noun}`])));
  }
  return "Overview";
});
