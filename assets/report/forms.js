// A tool as a form, made from its JSON schema: a field for each parameter, a choice for an enum, a line a value for a list.

function formOf(tool, submit) {
  const { name, description, parameters } = tool.function;
  const required = new Set(parameters.required || []);
  const fields = Object.entries(parameters.properties || {}).map(([field, schema]) => fieldOf(field, schema, required.has(field)));
  const form = make("form", { class: "tool-form", "aria-label": name, onsubmit: (event) => {
    event.preventDefault();
    submit({ name, arguments: argumentsOf(form, parameters) });
  } },
  make("div", { class: "tool-form-head" }, make("code", {}, name), make("button", { type: "button", class: "button plain", "aria-label": say("close"), onclick: () => form.remove() }, "✕")),
  make("p", { class: "soft small about" }, description), fields,
  make("button", { type: "submit", class: "button primary", id: "call" }, say("call_tool")));
  return form;
}

function fieldOf(name, schema, required) {
  const id = `field-${name}`;
  const known = { id, name, required, class: "input", "aria-describedby": `${id}-about` };
  const preset = schema.default === undefined || schema.default === null || schema.default === "" ? null : String(schema.default);
  return make("div", { class: "field" },
    make("label", { for: id }, make("code", {}, name), required ? make("span", { class: "needed" }, ` ${say("required")}`) : make("span", { class: "soft" }, ` ${say("optional")}`)),
    controlOf(schema, known, preset),
    make("p", { class: "soft small", id: `${id}-about` }, schema.description, schema.type === "array" ? ` ${say("a_line_each")}` : ""));
}

function controlOf(schema, known, preset) {
  if (schema.enum || schema.type === "boolean") {
    const values = schema.enum || ["true", "false"];
    return make("select", known, make("option", { value: "" }, preset === null ? "–" : say("preset", { value: preset })), values.map((value) => make("option", { value }, value)));
  }
  if (schema.type === "array") return make("textarea", { ...known, rows: 2, spellcheck: "false" });
  if (schema.type === "integer" || schema.type === "number") return make("input", { ...known, type: "number", step: schema.type === "integer" ? 1 : "any", placeholder: preset });
  return make("input", { ...known, type: "text", autocomplete: "off", spellcheck: "false", placeholder: preset });
}

// Return what the form says as the tool's arguments; fields left empty are left out.
function argumentsOf(form, parameters) {
  const out = {};
  for (const [name, schema] of Object.entries(parameters.properties || {})) {
    const said = form.elements[name].value;
    if (said.trim() === "") continue;
    out[name] = schema.type === "array" ? said.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => typed(line, schema.items || {})) : typed(said.trim(), schema);
  }
  return out;
}

function typed(said, schema) {
  if (schema.type === "boolean") return said === "true";
  if (schema.type === "integer" || schema.type === "number") return Number.isFinite(Number(said)) ? Number(said) : said;
  return said;
}

// Put an id of a result into the open form: into the field of its name, or as a further line of the list of such ids.
function takeId(name, value) {
  const form = document.querySelector(".tool-form");
  const exact = form?.elements[name], list = form?.elements[`${name}s`];
  const field = exact || list || (document.activeElement?.form === form ? document.activeElement : null);
  if (!field) { navigator.clipboard?.writeText(value).catch(() => {}); return say("copied", { value }); }
  field.value = field === list && field.value.trim() ? `${field.value.trimEnd()}\n${value}` : value;
  field.classList.add("taken");
  setTimeout(() => field.classList.remove("taken"), 700);
  return say("taken", { name: field.name, value });
}
