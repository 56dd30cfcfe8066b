// A person plays: the conversation so far, the tools as forms, words to say. Everything is asked of the server on this machine.

const game = { token: "", stop: "", briefing: null, state: null, drawn: 0, busy: false, tool: null };

async function unpack(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
}

async function ask(path, body = {}) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Vitagym-Token": game.token }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

// Do something on the server, then show what came of it; while the others are at it, ask again.
async function act(path, body) {
  if (game.busy) return;
  game.busy = true;
  showTurn();
  try {
    let answer = await ask(path, body);
    if (answer.briefing) begin(answer.briefing);
    show(answer.state);
    while (answer.state.turn === "others") { answer = await ask("/state"); show(answer.state); }
  } catch (error) {
    byId("hint").textContent = say("server_gone");
    game.state = { ...(game.state || { messages: [] }), turn: "others" };
  }
  game.busy = false;
  showTurn();
  if (path === "/act" && body.say !== undefined) byId("words").focus();
}

function begin(briefing) {
  Object.assign(game, { briefing, drawn: 0, tool: null });
  byId("messages").replaceChildren();
  byId("result").hidden = true;
  byId("tool-form").replaceChildren();
  byId("words").value = "";
  drawWords();
}

// Whatever words stand in, drawn anew when the language of the page changes.
function drawWords() {
  const { briefing } = game;
  if (!briefing) return;
  const agent = briefing.role === "agent";
  byId("where").textContent = `${say(agent ? "you_are_agent" : "you_are_user")} · ${briefing.environment}`;
  byId("briefing-title").textContent = say(agent ? "your_instructions" : "who_you_are");
  refill(byId("briefing-body"), agent ? make("div", { class: "value-text" }, briefing.instructions) : userBriefing(briefing));
  byId("briefing").open = !agent || innerWidth > 899 && !game.state?.messages.length;
  byId("words-label").textContent = say(agent ? "say_to_user" : "say_to_agent");
  byId("words").placeholder = byId("words-label").textContent;
  byId("end").textContent = say("end_conversation");
  byId("tools").hidden = !agent;
  byId("to-tools").hidden = !agent;
  if (agent) drawTools();
  showTurn();
}

function userBriefing(briefing) {
  const groups = ["opening", "volunteered", "event", "asked"].map((when) => [when, briefing.points.filter((point) => point.when === when)]).filter(([, points]) => points.length);
  return [make("p", {}, briefing.persona), make("p", { class: "value-text" }, briefing.instructions), shown(briefing.profile),
    groups.map(([when, points]) => make("div", {}, make("h4", {}, say(`when_${when}`)), make("ul", { class: "points" }, points.map((point) => make("li", {}, point.words)))))];
}

function drawTools() {
  const wanted = byId("tool-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (words) => wanted.every((part) => words.toLowerCase().includes(part));
  const named = game.briefing.tools.filter((tool) => holds(tool.function.name));
  const found = [...named, ...game.briefing.tools.filter((tool) => !named.includes(tool) && holds(`${tool.function.name} ${tool.function.description}`))];
  refill(byId("tool-list"), found.map((tool) => make("li", {}, make("button", { type: "button", class: "tool", "aria-pressed": String(tool === game.tool), onclick: () => openTool(tool) },
    make("code", {}, tool.function.name), make("span", { class: "soft" }, tool.function.description.split("\n")[0])))), found.length ? null : make("li", { class: "soft" }, say("no_such_tool")));
}

function openTool(tool) {
  game.tool = tool;
  refill(byId("tool-form"), formOf(tool, (call) => { closeTools(); act("/act", { call }); }));
  drawTools();
  showTurn();
  byId("tools").scrollTop = 0;
  (byId("tool-form").querySelector("input, select, textarea") || byId("call")).focus();
}

const closeTools = () => byId("tools").classList.remove("open");

function show(state) {
  game.state = state;
  const room = byId("messages");
  const fresh = state.messages.slice(game.drawn);
  for (const message of fresh) {
    const drawn = drawMessage(message, room);
    if (drawn) room.append(drawn);
  }
  game.drawn = state.messages.length;
  if (state.turn === "ended") drawResult(state);
  if (fresh.length) requestAnimationFrame(() => scrollTo({ top: document.documentElement.scrollHeight }));
  showTurn();
}

const ROLES = { user: "user", assistant: "agent", system: "notice" };

// A result stands in the fold of its call; every message else is a bubble.
function drawMessage(message, room) {
  if (message.role === "tool") {
    const call = room.querySelector(`[data-call="${CSS.escape(message.tool_call_id)}"]`);
    if (call) fillCall(call, message);
    return null;
  }
  const role = ROLES[message.role];
  return make("section", { class: `message ${role}` },
    make("div", { class: "message-head" }, make("b", {}, say(`role_${role}`))),
    message.content ? make("div", { class: "bubble", dir: "auto" }, message.content) : null,
    (message.tool_calls || []).map((call) => make("details", { class: "call", open: true, "data-call": call.id },
      make("summary", {}, make("code", {}, call.function.name), make("span", { class: "call-said" }, argumentsInShort(parsed(call.function.arguments) ?? call.function.arguments))))));
}

function fillCall(call, message) {
  const body = make("div", { class: "call-body" }, shown(parsed(message.content) ?? message.content));
  if (message.refused) {
    call.classList.add("refused");
    call.querySelector("summary").append(make("span", { class: "mark bad" }, say("refused")));
  }
  for (const cell of body.querySelectorAll('[data-field$="_id"]')) offerId(cell);
  call.append(body);
}

function offerId(cell) {
  const value = cell.textContent;
  if (!value || cell.querySelector("table")) return;
  cell.replaceChildren(make("button", { type: "button", class: "as-id", title: say("take_id"), onclick: () => { byId("hint").textContent = takeId(cell.dataset.field, value); } }, value));
}

function drawResult(state) {
  const room = byId("result"), result = state.result;
  room.hidden = false;
  const next = make("button", { type: "button", class: "button primary", id: "next", onclick: () => act("/next") }, say("next_task"));
  if (!result) { refill(room, make("h2", {}, say("cut_off")), make("p", {}, state.fault), next); return; }
  const tone = result.is_success ? "good" : result.is_success === null ? "warn" : "bad";
  refill(room, make("h2", {}, make("span", { class: `mark ${tone}` }, say(result.is_success ? "all_met" : result.is_success === null ? "not_scored" : "not_all_met"))),
    make("p", { class: "soft" }, say("result_line", { met: result.rubrics.filter((rubric) => rubric.status === "met").length, rubrics: result.rubrics.length, reward: number(result.reward, 2), turns: result.turns })),
    make("ul", { class: "result-rubrics" }, result.rubrics.map((rubric) => make("li", { class: rubric.status === "met" ? "good" : "bad" }, make("span", { "aria-hidden": "true" }, rubric.status === "met" ? "✓" : "✕"),
      make("span", {}, rubric.sentence, make("span", { class: "soft small" }, ` ${word("status", rubric.status)}`, rubric.reason ? ` — ${rubric.reason}` : ""))))),
    state.not_kept ? make("p", { class: "notice bad" }, say("not_kept", { reason: state.not_kept })) : state.kept ? make("p", { class: "soft" }, say("kept_in", { folder: state.kept })) : make("p", { class: "soft" }, say("kept_nowhere")),
    next);
}

function showTurn() {
  const turn = game.state?.turn || "others";
  const mine = turn === "person" && !game.busy;
  const mark = byId("turn");
  mark.className = `mark ${mine ? "good" : ""}`;
  mark.textContent = say(turn === "ended" ? "turn_ended" : mine ? "turn_yours" : "turn_others");
  for (const id of ["send", "end", "call"]) if (byId(id)) byId(id).disabled = !mine;
  byId("composer").hidden = turn === "ended";
  byId("next") && (byId("next").disabled = game.busy);
  document.documentElement.dataset.turn = game.busy ? "busy" : turn;
}

function send(end) {
  const words = byId("words").value.trim();
  if (!words && !end) { byId("words").focus(); return; }
  byId("words").value = "";
  act("/act", { say: words, end });
}

async function start() {
  const head = await unpack("head");
  Object.assign(game, { token: head.token, stop: head.stop });
  page.texts = head.texts;
  startSwitches(() => { drawWords(); game.drawn = 0; byId("messages").replaceChildren(); if (game.state) show(game.state); });
  byId("composer").addEventListener("submit", (event) => { event.preventDefault(); send(false); });
  byId("words").addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); if (!byId("send").disabled) send(false); } });
  byId("end").addEventListener("click", () => byId("sure").showModal());
  byId("sure").addEventListener("close", () => { if (byId("sure").returnValue === "yes") send(true); byId("sure").returnValue = ""; });
  byId("tool-search").addEventListener("input", drawTools);
  byId("to-tools").addEventListener("click", () => byId("tools").classList.add("open"));
  byId("close-tools").addEventListener("click", closeTools);
  addEventListener("keydown", (event) => { if (event.key === "Escape") closeTools(); });
  await act("/briefing");
  document.documentElement.dataset.ready = "true";
}

start();
