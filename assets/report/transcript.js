// One episode: its head, the transcript as a chat with folded tool calls, and the panel that follows the reading.

const reading = { row: null, episode: null, turn: 0, changesAt: new Map(), worldAt: new Map(), held: 0 };

function drawEpisode(row, episode) {
  Object.assign(reading, { row, episode, turn: 0 });
  reading.changesAt = grouped(episode.rubric_changes);
  reading.worldAt = grouped(episode.world_changes);
  const transcript = make("div", { class: "transcript", id: "transcript" }, promptOf(episode), messagesOf(episode), endOf(row, episode));
  refill(byId("episode"),
    headOf(row, episode),
    make("div", { class: "episode-body" }, make("div", { class: "reading" }, transcript), panelOf(episode)));
  follow(0);
}

function grouped(changes) {
  const at = new Map();
  for (const change of changes) at.set(change.turn, [...(at.get(change.turn) || []), change]);
  return at;
}

function headOf(row, episode) {
  const players = [["filter_agent", row.agent], ["filter_user", row.user], ["filter_judge", row.judge]].filter(([, name]) => name);
  const facts = [
    [say("reward"), number(row.reward, 2)],
    [say("rubrics"), `${row.met} / ${row.rubrics}`],
    [say("turns"), number(row.turns)],
    [say("tool_calls"), row.refused ? say("calls_refused", { calls: row.calls, refused: row.refused }) : number(row.calls)],
    row.tokens ? [say("tokens"), number(row.tokens)] : null,
    row.cost ? [say("cost"), number(row.cost, 4)] : null,
    [say("ended"), word("end", row.end)],
  ].filter(Boolean);
  return make("header", { class: "episode-head" },
    make("div", { class: "episode-way" },
      make("a", { class: "button plain back", href: "#episodes" }, "‹ ", say("episodes")),
      stepButton(-1, "‹", "previous_episode"), stepButton(1, "›", "next_episode"),
      make("button", { type: "button", class: "button plain", id: "fold", onclick: foldAll }, say("unfold_all"))),
    make("div", { class: "episode-title" }, make("h1", {}, row.task), outcomeMark(row)),
    make("p", { class: "soft small" }, [word("domain", row.domain), row.family, row.persona && word("persona", row.persona), row.task_time].filter(Boolean).join(" · ")),
    make("p", { class: "players small" }, players.map(([role, name]) => make("span", {}, make("span", { class: "soft" }, say(role)), " ", make("b", {}, name))),
      make("span", {}, make("span", { class: "soft" }, say("trial")), " ", make("b", {}, row.trial + 1))),
    make("dl", { class: "facts" }, facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))),
    episode.error ? make("p", { class: "notice bad" }, episode.error) : null,
    siblingsOf(row));
}

function stepButton(step, sign, label) {
  const to = neighbour(step);
  return make("button", { type: "button", class: "button plain", "aria-label": say(label), title: say(label), disabled: to < 0, onclick: () => go(to) }, sign);
}

// The other episodes on the same task: one mark each, agent by agent.
function siblingsOf(row) {
  const same = data.byTask.get(`${row.environment} ${row.task}`).map((place) => data.index[place]);
  if (same.length < 2) return null;
  const agents = new Map();
  for (const other of same) {
    const name = [other.agent, other.user !== row.user && other.user, other.judge !== row.judge && other.judge].filter(Boolean).join(" · ");
    agents.set(name, [...(agents.get(name) || []), other]);
  }
  return make("div", { class: "siblings small" }, make("span", { class: "soft" }, say("same_task")), [...agents].map(([name, others]) =>
    make("span", { class: "sibling" }, name, others.map((other) => {
      const [tone, sign] = OUTCOMES[other.outcome];
      return make("a", { class: `mark ${tone}`, href: link(other.key, 0), "aria-current": other === row ? "true" : null,
        "aria-label": `${name}, ${say("trial")} ${other.trial + 1}: ${word("outcome", other.outcome)}` }, sign);
    }))));
}

function promptOf(episode) {
  if (!episode.system_prompt) return null;
  return make("details", { class: "call prompt" }, make("summary", {}, say("system_prompt")), make("div", { class: "call-body value-text" }, episode.system_prompt));
}

// Messages in order; a tool's answer stands in the fold of the call that asked for it.
function messagesOf(episode) {
  const answers = new Map();
  episode.messages.forEach((message, turn) => { if (message.role === "tool") answers.set(message.tool_call_id, turn); });
  const answered = new Set();
  const out = [];
  episode.messages.forEach((message, turn) => {
    if (message.role === "tool" && answered.has(turn)) return;
    const calls = (message.tool_calls || []).map((call) => {
      const at = answers.get(call.id);
      if (at !== undefined) answered.add(at);
      return [call, at];
    });
    out.push(message.role === "tool" ? strayResult(message, turn) : messageOf(message, turn, calls), notesAt(turn));
    for (const [, at] of calls) if (at !== undefined) out.push(notesAt(at));
  });
  return out;
}

const ROLES = { user: "user", assistant: "agent", system: "notice" };

function messageOf(message, turn, calls) {
  const role = ROLES[message.role] || "notice";
  const acts = reading.episode.acts.filter((act) => act.turn === turn).map((act) => [act.kind, act.point, act.slot].filter(Boolean).join(" "));
  const silent = !message.content && !message.reasoning_content && calls.length;
  return make("section", { class: `message ${role}${silent ? " silent" : ""}`, "data-turn": turn, id: `turn-${turn}`, "aria-label": `${say(`role_${role}`)}, ${say("turn")} ${turn}` },
    silent ? null : make("div", { class: "message-head" }, make("b", {}, say(`role_${role}`)), turnLink(turn), acts.length ? make("span", { class: "acts" }, acts.join(", ")) : null),
    message.reasoning_content ? fold(say("reasoning"), () => make("div", { class: "value-text" }, message.reasoning_content)) : null,
    message.content ? make("div", { class: "bubble", dir: "auto" }, message.content) : null,
    !message.content && !calls.length ? make("div", { class: "bubble soft" }, say("empty_message")) : null,
    calls.map(([call, at]) => callOf(call, at, silent ? turn : null)));
}

const turnLink = (turn) => make("a", { class: "turn-link", href: link(reading.row.key, turn), "aria-label": `${say("turn")} ${turn}` }, String(turn));

// A call that stands alone carries the number of its message, since that has no words and so no head.
function callOf(call, at, from) {
  const given = parsed(call.function.arguments) ?? call.function.arguments;
  const answer = at === undefined ? null : reading.episode.messages[at].content;
  const refused = at !== undefined && reading.episode.refused.includes(at);
  const changed = at !== undefined && reading.worldAt.has(at);
  const body = () => [
    make("div", {}, make("h4", {}, say("arguments")), shown(given)),
    answer === null ? null : make("div", {}, make("h4", {}, say("result")), shown(parsed(answer) ?? answer)),
  ];
  const summary = [make("code", {}, call.function.name), make("span", { class: "call-said" }, argumentsInShort(given)),
    refused ? make("span", { class: "mark bad" }, say("refused")) : null,
    changed ? make("span", { class: "mark" }, say("changed_world")) : null,
    make("span", { class: "call-turns" }, from === null ? null : turnLink(from), at === undefined ? null : turnLink(at))];
  const made = fold(summary, body);
  if (refused) made.classList.add("refused");
  if (at !== undefined) fill(made, { "data-turn": at, id: `turn-${at}` }, []);
  return made;
}

// What is folded is drawn when it is opened for the first time.
function fold(summary, body) {
  const made = make("details", { class: "call" }, make("summary", {}, summary));
  made.addEventListener("toggle", () => { if (made.open && made.children.length === 1) made.append(make("div", { class: "call-body" }, body())); });
  return made;
}

const strayResult = (message, turn) => make("section", { class: "message notice", "data-turn": turn, id: `turn-${turn}` },
  make("div", { class: "message-head" }, make("b", {}, message.name || "tool"), turnLink(turn)), make("div", { class: "bubble" }, message.content));

// What changed at a turn: rubrics, with the judge's reason.
function notesAt(turn) {
  return (reading.changesAt.get(turn) || []).map((change) => {
    const rubric = reading.episode.rubrics[change.rubric] || {};
    const [tone, sign] = STATUSES[change.status] || STATUSES.pending;
    return make("div", { class: `note ${tone}` }, make("span", { class: "note-sign", "aria-hidden": "true" }, sign),
      make("span", {}, make("b", {}, word("status", change.status)), " ", make("span", { dir: "auto" }, rubric.sentence || change.rubric),
        change.reason ? make("span", { class: "reason", title: change.reason }, change.reason) : null));
  });
}

function endOf(row) {
  return make("p", { class: "episode-end" }, outcomeMark(row), " ", word("end", row.end));
}

function foldAll() {
  const folds = [...byId("transcript").querySelectorAll("details")];
  const open = folds.some((one) => !one.open);
  for (const one of folds) one.open = open;
  byId("fold").textContent = say(open ? "fold_all" : "unfold_all");
}

// Turns that stand in the page, in order, with the element of each.
const turnElements = () => [...byId("episode").querySelectorAll("[data-turn]")];

// Go to a turn, or to the nearest one that there is.
function scrollToTurn(wanted, focus) {
  const turns = turnElements().map((element) => Number(element.dataset.turn));
  if (!turns.length) return;
  const turn = turns.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best));
  const element = byId(`turn-${turn}`);
  follow(turn);
  element.scrollIntoView({ block: turn === 0 ? "end" : "start" });
  if (turn === 0) window.scrollTo({ top: 0 });
  reading.held = scrollY;
  if (focus) { element.setAttribute("tabindex", "-1"); element.focus({ preventScroll: true }); }
}

function stepTurn(step) {
  const turns = turnElements().map((element) => Number(element.dataset.turn)).sort((a, b) => a - b);
  const next = step > 0 ? turns.find((turn) => turn > reading.turn) : turns.findLast((turn) => turn < reading.turn);
  if (next !== undefined) history.replaceState(null, "", link(reading.row.key, next));
  if (next !== undefined) scrollToTurn(next, true);
}

function stepChange(step) {
  const turns = [...reading.changesAt.keys()].sort((a, b) => a - b);
  const next = step > 0 ? turns.find((turn) => turn > reading.turn) : turns.findLast((turn) => turn < reading.turn);
  if (next !== undefined) scrollToTurn(next, true);
}

// The turn being read is the last whose top has passed the upper third of the window; at the very end it is the last.
function readScroll() {
  if (!reading.episode || byId("browser").hidden) return;
  if (Math.abs(scrollY - reading.held) < 2) return; // Where going to a turn left the window: the turn stays the one gone to.
  reading.held = NaN;
  const line = innerHeight * 0.36;
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4;
  let turn = 0;
  for (const element of turnElements()) {
    if (atEnd || element.getBoundingClientRect().top <= line) turn = Math.max(turn, Number(element.dataset.turn));
  }
  if (turn !== reading.turn) follow(turn);
}
