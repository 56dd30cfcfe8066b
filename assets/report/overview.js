// The first view: what was run, the headline table, the plots.

const overview = { group: null };

function drawOverview() {
  const { run, table, figures } = data;
  overview.group = table.groups.some(({ name }) => name === overview.group) ? overview.group : table.groups[0].name;
  refill(byId("overview"),
    make("header", { class: "overview-head" }, make("h1", {}, run.title), make("p", { class: "soft" }, say("run_line", { episodes: number(run.episodes), tasks: number(run.tasks), agents: number(run.agents) }), run.made ? ` · ${run.made}` : "", run.versions ? ` · ${run.versions}` : "")),
    run.cut_off ? make("p", { class: "notice" }, say("cut_off_line", { episodes: number(run.cut_off) })) : null,
    make("section", { class: "card", id: "headline" }),
    make("section", { class: "charts" }, figures.map(chartOf)));
  drawTable();
}

function drawTable() {
  const { table } = data;
  const group = table.groups.find(({ name }) => name === overview.group);
  const tabs = make("div", { class: "tabs", role: "group", "aria-label": say("filter_domain") }, table.groups.map(({ name }) =>
    make("button", { type: "button", class: "tab", "aria-pressed": String(name === overview.group), onclick: () => { overview.group = name; drawTable(); byId("headline").querySelector('[aria-pressed="true"]').focus(); } }, word("domain", name))));
  const columns = table.columns.filter(({ name }) => [...group.rows, ...group.published].some((row) => row.cells[name]));
  const heads = [make("th", { scope: "col" }, say("filter_agent")),
    columns.map(({ name, format, k }) => make("th", { scope: "col", class: "number" }, say(`column_${name.split("@")[0]}`, { k }), format === "share" ? " %" : ""))];
  refill(byId("headline"),
    make("div", { class: "card-head" }, make("h2", {}, say("headline")), table.groups.length > 2 ? tabs : null),
    make("div", { class: "value-scroll", tabindex: "0", role: "region", "aria-label": say("headline") }, make("table", { class: "headline" },
      make("thead", {}, make("tr", {}, heads)),
      make("tbody", {}, group.rows.map((row) => tableRow(row, columns))),
      group.published.length ? make("tbody", { class: "published" }, make("tr", {}, make("th", { scope: "rowgroup", colspan: columns.length + 1 }, say("published"))), group.published.map((row) => tableRow(row, columns))) : null)),
    make("p", { class: "soft small" }, say("headline_note")));
}

function tableRow(row, columns) {
  const name = row.published ? row.name : make("button", { type: "button", class: "as-link", onclick: () => filterBy({ agent: row.agent, ...(overview.group === "all" ? {} : { domain: overview.group }) }) }, row.name);
  const rests = row.published ? row.rests : [say("rests_on", { episodes: number(row.episodes), tasks: number(row.tasks) }), row.apart ? ` · ${say("apart", { episodes: number(row.apart) })}` : ""];
  return make("tr", { class: row.baseline ? "baseline" : null },
    make("th", { scope: "row" }, name, row.baseline ? make("span", { class: "soft small" }, ` ${say("baseline")}`) : null, make("span", { class: "interval" }, rests)),
    columns.map(({ name: column, format }) => cellOf(row.cells[column], format)));
}

function cellOf(cell, format) {
  if (!cell) return make("td", { class: "number soft" }, "–");
  const value = (one) => (format === "share" ? number(100 * one, 1) : number(one, format === "money" ? 4 : Math.abs(one) >= 1000 ? 0 : format === "score" ? 3 : 1));
  return make("td", { class: "number" }, value(cell.y), cell.low === null || cell.low === undefined ? null : make("span", { class: "interval" }, `${value(cell.low)}–${value(cell.high)}`));
}
