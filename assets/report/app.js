// Where everything meets: the data, the two views, addresses (#overview, #episodes, #KEY/TURN), keys.

const data = { index: [], byKey: new Map(), byTask: new Map(), opened: new Map() };

// Every part of the data is gzipped JSON in base64; an episode is read when it is opened.
async function unpack(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

async function episodeAt(place) {
  if (!data.opened.has(place)) {
    const episode = await unpack(`episode-${place}`);
    if (data.opened.size > 40) data.opened.delete(data.opened.keys().next().value);
    data.opened.set(place, episode);
  }
  return data.opened.get(place);
}

// Half a letter cannot stand in an address, so keys lose theirs as they are read.
const whole = (key) => String(key).toWellFormed?.() ?? String(key);
const link = (key, turn) => `#${encodeURIComponent(whole(key))}/${turn}`;
const go = (place) => { if (place >= 0) location.hash = link(data.index[place].key, 0); };

let opening = 0;
async function route() {
  const address = location.hash.slice(1);
  const cut = address.lastIndexOf("/");
  const key = cut < 0 ? "" : unescaped(address.slice(0, cut));
  const place = data.byKey.get(key);
  const isOverview = place === undefined && address !== "episodes";
  byId("overview").hidden = !isOverview;
  byId("browser").hidden = isOverview;
  for (const [id, current] of [["to-overview", isOverview], ["to-episodes", !isOverview]]) {
    if (current) byId(id).setAttribute("aria-current", "page");
    else byId(id).removeAttribute("aria-current");
  }
  byId("browser").classList.toggle("reading-one", place !== undefined);
  if (isOverview) { byId("waiting").hidden = cut < 0; byId("waiting").textContent = cut < 0 ? "" : say("no_such_episode", { key }); return; }
  byId("waiting").hidden = true;
  if (place === undefined) { markOpen(-1); showNothing(); return; }
  await open(place, Number(address.slice(cut + 1)) || 0);
}

function unescaped(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

async function open(place, turn) {
  const row = data.index[place];
  if (reading.row === row && byId("transcript")) { scrollToTurn(turn); return; }
  const mine = ++opening;
  performance.mark("episode-asked");
  const episode = await episodeAt(place);
  if (mine !== opening) return;
  markOpen(place);
  drawEpisode(row, episode);
  scrollToTurn(turn);
  document.title = `${row.task} · ${row.agent} · ${data.run.title}`;
  requestAnimationFrame(() => setTimeout(() => {
    performance.measure("episode-opened", "episode-asked");
    readAhead();
  }));
}

// Read the neighbours in the list before they are asked for.
function readAhead() {
  for (const place of [neighbour(1), neighbour(-1)]) if (place >= 0) (window.requestIdleCallback || setTimeout)(() => episodeAt(place));
}

function showNothing() {
  opening += 1;
  Object.assign(reading, { row: null, episode: null });
  document.title = data.run.title;
  byId("episode").replaceChildren(make("p", { class: "empty soft" }, say("choose_episode")));
}

const KEYS = [["j", "next_episode"], ["k", "previous_episode"], ["↓", "next_turn"], ["↑", "previous_turn"], ["→", "next_change"], ["←", "previous_change"],
  ["e", "unfold_all"], ["/", "search"], ["o", "overview"], ["Esc", "back"], ["?", "keys"]];

const ACTIONS = {
  j: () => go(neighbour(1)), k: () => go(neighbour(-1)),
  ArrowDown: () => reading.episode && (stepTurn(1), true), ArrowUp: () => reading.episode && (stepTurn(-1), true),
  ArrowRight: () => reading.episode && (stepChange(1), true), ArrowLeft: () => reading.episode && (stepChange(-1), true),
  e: () => reading.episode && foldAll(),
  "/": () => { if (!reading.episode || matchMedia("(max-width: 899px)").matches) location.hash = "episodes"; requestAnimationFrame(() => { byId("search").focus(); byId("search").select(); }); return true; },
  o: () => { location.hash = "overview"; },
  "?": () => byId("keys-dialog").showModal(),
  Escape: () => { if (byId("panel")?.classList.contains("open")) togglePanel(); else if (!byId("browser").hidden) location.hash = reading.episode ? "episodes" : "overview"; },
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys-dialog").open) return;
  const writing = event.target.matches("input, select, textarea");
  if (writing && event.key === "Escape") { event.target.blur(); return; }
  if (writing) return;
  const scrolls = event.target.closest(".value-scroll") && event.key.startsWith("Arrow");
  const action = ACTIONS[event.key];
  if (!action || scrolls || (event.key.startsWith("Arrow") && byId("browser").hidden)) return;
  if (action() !== undefined) event.preventDefault();
  else if (event.key === "/") event.preventDefault();
}

function redraw() {
  byId("keys-list").replaceChildren(...KEYS.map(([key, meaning]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, say(meaning)))));
  byId("count").textContent = number(data.index.length);
  drawOverview();
  drawFilters();
  find();
  if (reading.episode) {
    const { row, turn, episode } = reading;
    drawEpisode(row, episode);
    scrollToTurn(turn);
  } else showNothing();
}

async function start() {
  Object.assign(data, await unpack("head"));
  page.texts = data.texts;
  data.index.forEach((row, place) => {
    row.key = whole(row.key);
    data.byKey.set(row.key, place);
    const task = `${row.environment} ${row.task}`;
    data.byTask.set(task, [...(data.byTask.get(task) || []), place]);
  });
  startSwitches(redraw);
  startFinder();
  redraw();
  let asked = false;
  addEventListener("scroll", () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; readScroll(); }); } }, { passive: true });
  addEventListener("keydown", pressed);
  addEventListener("hashchange", route);
  byId("help").addEventListener("click", () => byId("keys-dialog").showModal());
  byId("skip").addEventListener("click", (event) => { event.preventDefault(); byId("main").focus(); });
  await route();
  document.documentElement.dataset.ready = "true";
}

start().catch((error) => { byId("waiting").hidden = false; byId("waiting").textContent = String(error); throw error; });
