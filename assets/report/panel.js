// The panel beside the transcript: reward strip, rubrics as they stood, world changes, map. It follows the turn being read.

const STATUSES = { met: ["good", "✓"], overturned: ["bad", "✕"], pending: ["idle", "○"], unscored: ["warn", "?"] };

function panelOf(episode) {
  const has = { world: episode.world_changes.length, map: episode.places.length };
  const summary = make("button", { type: "button", class: "panel-bar", id: "panel-bar", "aria-expanded": "false", "aria-controls": "panel-parts", onclick: togglePanel },
    make("span", { id: "panel-now" }), make("span", { class: "panel-open", "aria-hidden": "true" }, "▴"));
  return make("aside", { class: "panel", id: "panel", "aria-label": say("panel") }, summary,
    make("div", { class: "panel-parts", id: "panel-parts" },
      part("rewards", rewardStrip(episode), "strip-part"),
      part("rubrics", make("ol", { class: "board", id: "board" }, Object.entries(episode.rubrics).map(([id, rubric]) =>
        make("li", { "data-rubric": id }, make("span", { class: "sign", "aria-hidden": "true" }), make("div", {}, make("span", { class: "sentence", dir: "auto" }, rubric.sentence || id), make("span", { class: "since" })))))),
      episode.failures.length ? part("failures", failureList(episode)) : null,
      has.world ? part("world_changes", worldList(episode)) : null,
      has.map ? part("places", placesOf(episode)) : null,
      part("run", runFacts(episode))));
}

const part = (key, content, kind) => make("section", { class: `part ${kind || ""}` }, make("h2", {}, say(key)), content);

function togglePanel() {
  const open = byId("panel").classList.toggle("open");
  byId("panel-bar").setAttribute("aria-expanded", String(open));
}

// Show everything as it stood at a turn.
function follow(turn) {
  reading.turn = turn;
  const { episode } = reading;
  const states = statesAt(turn);
  let met = 0;
  for (const item of byId("board").children) {
    const state = states[item.dataset.rubric];
    const [tone, sign] = STATUSES[state.status] || STATUSES.pending;
    met += state.status === "met";
    item.className = `${tone}${state.turn === turn ? " fresh" : ""}`;
    item.querySelector(".sign").textContent = sign;
    refill(item.querySelector(".since"), state.status === "pending" && state.turn < 0 ? null : [word("status", state.status), ` · ${say("turn")} `, make("a", { href: link(reading.row.key, state.turn) }, state.turn)]);
  }
  keepInSight(byId("board").querySelector(".fresh"));
  for (const item of byId("panel").querySelectorAll("[data-at]")) item.classList.toggle("later", Number(item.dataset.at) > turn);
  for (const element of turnElements()) element.classList.toggle("current", Number(element.dataset.turn) === turn);
  const reward = episode.rewards.reduce((sum, value, at) => (episode.action_turns[at] <= turn ? sum + value : sum), 0);
  refill(byId("panel-now"),
    make("span", {}, `${say("turn")} `, make("b", {}, turn), ` / ${episode.messages.length - 1}`),
    make("span", {}, make("b", {}, `${met} / ${Object.keys(episode.rubrics).length}`), ` ${say("met")}`),
    make("span", {}, `${say("reward")} `, make("b", {}, number(reward, 2))));
  byId("strip-now")?.setAttribute("transform", `translate(${stripX(turn)} 0)`);
  markPlaces(turn);
}

// Scroll the panel, and nothing but the panel, so far that an element of it can be seen.
function keepInSight(element) {
  if (!element) return;
  const room = byId("panel").getBoundingClientRect(), box = element.getBoundingClientRect();
  if (box.bottom > room.bottom || box.top < room.top + 50) byId("panel").scrollTop += box.top - room.top - room.height / 3;
}

function statesAt(turn) {
  const states = Object.fromEntries(Object.keys(reading.episode.rubrics).map((id) => [id, { status: "pending", turn: -1 }]));
  for (const change of reading.episode.rubric_changes) if (change.turn <= turn && states[change.rubric]) states[change.rubric] = change;
  return states;
}

const STRIP = { width: 320, height: 92, left: 4, right: 316, top: 8, low: 72 };
const stripX = (turn) => STRIP.left + ((STRIP.right - STRIP.left) * turn) / Math.max(1, reading.episode.messages.length - 1);

// One bar an action that was rewarded, the sum so far as a line, and a tick where a rubric changed.
function rewardStrip(episode) {
  let sum = 0;
  const sums = episode.rewards.map((value) => (sum += value));
  const high = Math.max(1, ...sums, ...episode.rewards), low = Math.min(0, ...sums, ...episode.rewards);
  const y = (value) => STRIP.low - ((STRIP.low - STRIP.top) * (value - low)) / (high - low);
  const bars = episode.rewards.map((value, at) => (Math.abs(value) < 1e-9 ? null :
    draw("rect", { class: value > 0 ? "gain" : "loss", x: stripX(episode.action_turns[at]) - 1.5, width: 3, y: Math.min(y(value), y(0)), height: Math.max(1, Math.abs(y(value) - y(0))) },
      draw("title", {}, `${say("turn")} ${episode.action_turns[at]}: ${number(value, 3)}`))));
  const path = sums.map((value, at) => `H${stripX(episode.action_turns[at])}V${y(value)}`).join("");
  const ticks = episode.rubric_changes.filter((change) => change.turn >= 0).map((change) => draw("circle", { class: `tick ${(STATUSES[change.status] || STATUSES.pending)[0]}`, cx: stripX(change.turn), cy: 84, r: 3 }));
  const strip = draw("svg", { class: "strip", viewBox: `0 0 ${STRIP.width} ${STRIP.height}`, role: "img", "aria-label": say("strip_label", { reward: number(sum, 2), actions: episode.rewards.length }) },
    draw("line", { class: "axis", x1: STRIP.left, x2: STRIP.right, y1: y(0), y2: y(0) }),
    draw("path", { class: "sum", d: `M${STRIP.left} ${y(0)}${path}H${STRIP.right}` }), bars, ticks,
    draw("text", { class: "strip-scale", x: STRIP.left + 4, y: y(high) + 6 }, number(high, 1)),
    draw("line", { class: "now", id: "strip-now", y1: 2, y2: 90 }));
  strip.addEventListener("click", (event) => {
    const box = strip.getBoundingClientRect();
    const at = (((event.clientX - box.left) / box.width) * STRIP.width - STRIP.left) / (STRIP.right - STRIP.left);
    scrollToTurn(Math.min(1, Math.max(0, at)) * (episode.messages.length - 1));
  });
  return [strip, termsOf(episode)];
}

function termsOf(episode) {
  const sums = {};
  for (const terms of episode.reward_terms) for (const [name, value] of Object.entries(terms)) sums[name] = (sums[name] || 0) + value;
  return make("p", { class: "terms small soft" }, Object.entries(sums).map(([name, value]) => make("span", {}, `${name} `, make("b", {}, number(value, 2)))));
}

// What went wrong, by the rules of the analysis: the type, what it is about, the turns that show it, the rubrics it cost.
// What happened again and again without costing a rubric is one entry.
function failureList(episode) {
  const together = new Map();
  for (const failure of episode.failures) {
    const same = failure.rubrics.length ? failure : `${failure.type} ${failure.about}`;
    const before = together.get(same);
    together.set(same, before ? { ...before, turns: [...new Set([...before.turns, ...failure.turns])] } : failure);
  }
  return make("ol", { class: "failures" }, [...together.values()].map((failure) => make("li", {},
    make("b", {}, word("failure", failure.type)), failure.about ? make("span", { class: "mono soft" }, ` ${failure.about}`) : null,
    failure.turns.length ? make("span", { class: "soft" }, ` · ${say("turn")} `, failure.turns.slice(0, 6).map((turn) => turnLink(turn))) : null,
    failure.rubrics.length ? make("ul", {}, failure.rubrics.map((id) => make("li", { class: "soft", dir: "auto" }, episode.rubrics[id]?.sentence || id))) : null)));
}

function worldList(episode) {
  return make("ol", { class: "world" }, episode.world_changes.map((change) => {
    const fields = changedFields(change);
    return make("li", { "data-at": change.turn },
      make("div", { class: "world-head" }, make("span", { class: "mark" }, say(change.before ? "changed" : "made")), make("b", {}, change.kind), make("a", { class: "turn-link", href: link(reading.row.key, change.turn) }, change.turn)),
      make("code", {}, String(change.record)),
      fields.length ? make("table", { class: "value-table" }, make("tbody", {}, fields.map(([name, before, after]) => make("tr", {}, make("th", { scope: "row" }, name),
        make("td", {}, before === undefined ? null : [make("s", { class: "soft" }, inShort(before, 60)), " → "], make("span", { class: "value-text" }, inShort(after ?? "–", 160))))))) : null);
  }));
}

function changedFields({ before, after }) {
  if (!before) return Object.entries(after || {}).filter(([, value]) => value !== null && value !== "").map(([name, value]) => [name, undefined, value]);
  const names = new Set([...Object.keys(before), ...Object.keys(after || {})]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after?.[name])).map((name) => [name, before[name] ?? "–", after?.[name]]);
}

function runFacts(episode) {
  const facts = { seed: episode.seed, ...episode.settings, ...episode.agent_options };
  const roles = Object.entries(episode.usage.roles || {}).filter(([, used]) => used.requests);
  return make("details", { class: "call" }, make("summary", {}, say("settings_and_usage")), make("div", { class: "call-body" },
    shown(facts), roles.length ? shown(Object.fromEntries(roles)) : null,
    episode.seconds === undefined ? null : shown({ seconds: Number(number(episode.seconds, 2).replaceAll(",", "")), ...(episode.seconds_by_role || {}) }),
    shown(episode.versions || {}), Object.keys(episode.scores || {}).length ? shown(episode.scores) : null));
}
