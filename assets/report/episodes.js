// The list of episodes: search, filters, order; only the rows in sight are in the page, so that thousands stay quick.

const ROW = 74; // the height of a row, as in the style sheet
const FILTERS = ["agent", "domain", "outcome", "persona", "family", "failure", "end", "user", "judge", "environment", "language"];
const ORDERS = ["as_run", "by_task", "lowest_reward", "most_turns", "most_cost"];
const finder = { found: [], chosen: {}, order: "as_run", drawn: [-1, -1], open: -1 };

const valuesOf = (row, filter) => (filter === "failure" ? row.failures : [row[filter]]);

function startFinder() {
  for (const row of data.index) {
    row.words = [row.key, row.domain, row.family, row.persona, row.end, row.opening, ...row.failures]
      .join(" ").toLowerCase();
  }
  byId("search").addEventListener("input", find);
  byId("rows").addEventListener("scroll", drawRows, { passive: true });
  new ResizeObserver(drawRows).observe(byId("rows"));
  byId("clear").addEventListener("click", () => { clearFilters(); find(); });
  byId("filters").open = matchMedia("(min-width: 900px)").matches;
  drawFilters();
  find();
}

function clearFilters() {
  finder.chosen = {};
  finder.order = "as_run";
  byId("search").value = "";
  drawFilters();
}

// Show the episodes of one value, e.g. those of a bar of a plot.
function filterBy(chosen) {
  clearFilters();
  finder.chosen = { ...chosen };
  byId("filters").open = true;
  drawFilters();
  find();
  location.hash = "episodes";
}

function drawFilters() {
  const fields = FILTERS.map((filter) => {
    const counts = new Map();
    for (const row of data.index) for (const value of valuesOf(row, filter)) if (value) counts.set(value, (counts.get(value) || 0) + 1);
    if (counts.size < 2 && filter !== "failure") return null;
    if (!counts.size) return null;
    const options = [...counts].sort((a, b) => b[1] - a[1]).map(([value, count]) =>
      make("option", { value, selected: finder.chosen[filter] === value }, `${word(filter, value)} (${number(count)})`));
    return field(say(`filter_${filter}`), make("select", { "data-filter": filter, onchange: (event) => {
      if (event.target.value) finder.chosen[filter] = event.target.value;
      else delete finder.chosen[filter];
      find();
    } }, make("option", { value: "" }, say("any")), options));
  });
  const order = field(say("order"), make("select", { id: "order", onchange: (event) => { finder.order = event.target.value; find(); } },
    ORDERS.map((name) => make("option", { value: name, selected: finder.order === name }, say(`order_${name}`)))));
  byId("filter-fields").replaceChildren(...fields.filter(Boolean), order);
}

const field = (name, control) => make("label", { class: "field" }, make("span", {}, name), control);

function find() {
  const wanted = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = Object.entries(finder.chosen);
  finder.found = [];
  data.index.forEach((row, place) => {
    if (chosen.every(([filter, value]) => valuesOf(row, filter).includes(value)) && wanted.every((part) => row.words.includes(part))) finder.found.push(place);
  });
  const key = { by_task: (row) => `${row.domain} ${row.task} ${row.agent} ${row.trial}`, lowest_reward: (row) => row.reward, most_turns: (row) => -row.turns, most_cost: (row) => -(row.cost || 0) }[finder.order];
  if (key) {
    const keys = new Map(finder.found.map((place) => [place, key(data.index[place])]));
    finder.found.sort((a, b) => (keys.get(a) < keys.get(b) ? -1 : keys.get(a) > keys.get(b) ? 1 : a - b));
  }
  const filtered = chosen.length + (wanted.length ? 1 : 0);
  byId("filter-count").textContent = chosen.length ? number(chosen.length) : "";
  byId("clear").hidden = !filtered && finder.order === "as_run";
  byId("found").textContent = say("found", { found: number(finder.found.length), all: number(data.index.length) });
  byId("rows-all").style.height = `${finder.found.length * ROW}px`;
  byId("rows").scrollTop = 0;
  finder.drawn = [-1, -1];
  drawRows();
}

function drawRows() {
  const room = byId("rows");
  const first = Math.max(0, Math.floor(room.scrollTop / ROW) - 6);
  const last = Math.min(finder.found.length, Math.ceil((room.scrollTop + room.clientHeight) / ROW) + 6);
  if (first === finder.drawn[0] && last === finder.drawn[1]) return;
  finder.drawn = [first, last];
  const focused = document.activeElement?.dataset?.place;
  byId("rows-all").replaceChildren(...finder.found.slice(first, last).map((place, offset) => rowOf(place, first + offset)));
  if (focused) byId("rows-all").querySelector(`[data-place="${focused}"]`)?.focus({ preventScroll: true });
}

function rowOf(place, at) {
  const row = data.index[place];
  const counted = say("row_counts", { met: row.met, rubrics: row.rubrics, turns: row.turns });
  return make("li", { class: "row", style: `top:${at * ROW}px`, "aria-setsize": finder.found.length, "aria-posinset": at + 1 },
    make("a", { href: link(row.key, 0), "data-place": place, "aria-current": place === finder.open ? "true" : null },
      make("span", { class: "row-first" }, outcomeMark(row, true), make("b", {}, row.task), make("span", { class: "row-agent" }, row.agent, row.trial ? ` · ${row.trial + 1}` : "")),
      make("span", { class: "row-opening", dir: "auto" }, row.opening),
      make("span", { class: "row-last" }, make("span", {}, `${word("domain", row.domain)}${row.family ? ` · ${row.family}` : ""}`), make("span", {}, counted))));
}

const OUTCOMES = { success: ["good", "✓"], failure: ["bad", "✕"], unscored: ["warn", "?"], cut_off: ["warn", "!"] };

function outcomeMark(row, short) {
  const [tone, sign] = OUTCOMES[row.outcome];
  const name = word("outcome", row.outcome);
  return make("span", { class: `mark ${tone}${short ? " only-sign" : ""}`, title: short ? name : null },
    make("span", { "aria-hidden": "true" }, sign), short ? make("span", { class: "visually-hidden" }, name) : name);
}

// Mark the open episode in the list, and bring its row into sight.
function markOpen(place) {
  finder.open = place;
  const at = finder.found.indexOf(place);
  const room = byId("rows");
  if (at >= 0 && room.clientHeight && (at * ROW < room.scrollTop || (at + 1) * ROW > room.scrollTop + room.clientHeight)) {
    room.scrollTop = Math.max(0, at * ROW - room.clientHeight / 2 + ROW / 2);
  }
  finder.drawn = [-1, -1];
  drawRows();
}

// Return the place of the episode that lies so many rows further in what was found; -1 where there is none.
function neighbour(step) {
  const at = finder.found.indexOf(finder.open);
  const next = at < 0 ? (step > 0 ? 0 : finder.found.length - 1) : at + step;
  return next >= 0 && next < finder.found.length ? finder.found[next] : -1;
}
