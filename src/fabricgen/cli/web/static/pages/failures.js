// The failure page: the worst failures, the requirements, and what each failure costs.
"use strict";
fabricgen.page("failures", "Failures", async (body, fabric, number) => {
  const { h, table, link, load } = fabricgen;
  const data = await load("failures");
  const share = (value) => `${(100 * value).toFixed(value === 1 || value === 0 ? 0 : 1)} %`;
  const whole = (row) => row.groups.find((group) => group.kind === "fabric") ?? { keeps: 1, each: 1, lost: [], servers_hit: 0, gpus_hit: 0 };
  const every = Object.entries(data.fabrics).flatMap(([name, rows]) => rows.map((row, index) => ({ name, row, index, all: whole(row) })));
  every.sort((a, b) => a.all.keeps - b.all.keeps || a.all.each - b.all.each || b.all.servers_hit - a.all.servers_hit);
  const called = (names) => names.length > 3 ? `${names.slice(0, 3).join(" or ")} or ${names.length - 3} more` : names.join(" or ");
  const cells = ({ name, row, index, all }) => [link(called(row.failures), "failures", name, String(index)), name, row.kind,
    share(all.keeps), share(all.each), String(all.servers_hit), String(all.gpus_hit)];
  const head = ["failure", "fabric", "kind", "fabric keeps", "a server keeps", "servers hit", "GPUs hit"];
  body.append(h("h1", {}, "Failures"), h("p", {}, "Bandwidth that remains after each failure. Failures with equal effects are one row."));
  const chosen = data.fabrics[fabric]?.[Number(number)];
  if (chosen) {
    body.append(h("h2", { "data-target": true }, `${chosen.kind}: ${called(chosen.failures)}`),
      h("details", {}, h("summary", {}, `${chosen.failures.length} equal failures`), h("p", {}, chosen.failures.join(", "))),
      table("Effects", ["group", "name", "keeps", "a server keeps", "servers hit", "GPUs hit", "lost servers"], chosen.groups.map((group) =>
        [group.kind, group.name ?? "", share(group.keeps), share(group.each), String(group.servers_hit), String(group.gpus_hit), group.lost.join(", ") || "-"])));
  }
  if (data.promises.length) {
    body.append(h("h2", {}, "Availability requirements"), table("Requirements", ["requirement", "result", "failures checked"], data.promises.map((each) =>
      [each.name, h("span", { class: `mark ${each.kept ? "note" : "error"}` }, each.kept ? each.not_known.length ? "not known" : "holds" : "broken"), String(each.judged)])));
  }
  body.append(h("h2", {}, "Worst ten"), table("Worst ten", head, every.slice(0, 10).map(cells)));
  body.append(h("details", {}, h("summary", {}, `All ${every.length.toLocaleString("en")} rows`), table("All failures", head, every.slice(0, 2000).map(cells))));
  return "Failures";
}, (site) => site.ok);
