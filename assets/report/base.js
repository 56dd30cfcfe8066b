"use strict";
// What both pages are made with: elements, texts in two languages, the theme, values of tools.
// Data never becomes markup: every word of a log reaches the page as a text node or an attribute.

const SVG = "http://www.w3.org/2000/svg";
const page = { texts: {}, language: "en", theme: null };

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const byId = (id) => document.getElementById(id);

// Put children in the place of what an element holds.
function refill(element, ...children) {
  element.replaceChildren();
  return fill(element, {}, children);
}

// Return the text of a meaning in the page's language; {name} stands for a value.
function say(key, values) {
  const entry = page.texts[key];
  if (!entry) return key;
  return entry[page.language].replace(/\{(\w+)\}/g, (whole, name) => (values && name in values ? values[name] : whole));
}

// Return the page's word for a name of the log (a domain, an end, a status), or the name itself.
const word = (kind, name) => (page.texts[`${kind}_${name}`] ? say(`${kind}_${name}`) : String(name ?? ""));

function number(value, digits = 0) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  return Number(value).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const share = (value, digits = 1) => (value === null || value === undefined ? "–" : `${number(100 * value, digits)} %`);

// The browser may refuse to keep anything (a page from disk, a private window): then nothing is kept.
function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`vitagym-${name}`);
    localStorage.setItem(`vitagym-${name}`, value);
  } catch { /* as said */ }
  return null;
}

function setTheme(theme) {
  page.theme = theme;
  document.documentElement.dataset.theme = theme;
  const button = byId("theme");
  button.textContent = theme === "dark" ? "☀" : "☾";
  button.setAttribute("aria-label", say(theme === "dark" ? "to_light" : "to_dark"));
  button.title = button.getAttribute("aria-label");
}

function setLanguage(language) {
  page.language = language;
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    if (element.matches("input")) element.placeholder = say(element.dataset.label);
    if (element.matches("button")) element.title = say(element.dataset.label);
  }
  const button = byId("language");
  button.textContent = language === "zh" ? "EN" : "中文";
  button.lang = language === "zh" ? "en" : "zh-Hans";
}

// Make the two switches work; `changed` draws again what words or colours stand in.
function startSwitches(changed) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  setLanguage(kept("language") || ((navigator.language || "").startsWith("zh") ? "zh" : "en"));
  setTheme(kept("theme") || (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", () => { if (!kept("theme")) setTheme(dark.matches ? "dark" : "light"); });
  byId("theme").addEventListener("click", () => {
    setTheme(page.theme === "dark" ? "light" : "dark");
    kept("theme", page.theme);
  });
  byId("language").addEventListener("click", () => {
    setLanguage(page.language === "zh" ? "en" : "zh");
    setTheme(page.theme);
    kept("language", page.language);
    changed();
  });
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

const isTree = (value) => value !== null && typeof value === "object";

// Return one line that stands for a value.
function inShort(value, limit = 90) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

const argumentsInShort = (given) => (isTree(given) ? Object.entries(given).map(([name, value]) => `${name}: ${inShort(value, 48)}`).join(", ") : inShort(given ?? ""));

// Return a value of JSON as tables and text. Lists of objects become a table, whose columns are the objects' fields.
function shown(value, depth = 0) {
  if (!isTree(value)) {
    const plain = typeof value === "string";
    return make("span", { class: plain ? "value-text" : "value-number", dir: plain ? "auto" : null }, String(value));
  }
  if (isPlainList(value)) return make("span", { class: value.length ? "value-text" : "soft" }, value.length ? value.join(", ") : say("nothing"));
  if (isTableList(value) && depth < 3) return rows(value, depth);
  if (Array.isArray(value)) return make("ol", { class: "value-list" }, value.map((item) => make("li", {}, shown(item, depth + 1))));
  const table = make("table", { class: "value-table" }, make("tbody", {}, Object.entries(value).map(([name, inner]) => fieldRow(name, inner, depth))));
  return depth ? table : make("div", { class: "value-scroll", tabindex: "0" }, table);
}

const isPlainList = (value) => Array.isArray(value) && value.every((item) => !isTree(item));
const isTableList = (value) => Array.isArray(value) && value.every((item) => isTree(item) && !Array.isArray(item));

// A list of objects takes the whole width, under its name.
function fieldRow(name, inner, depth) {
  if (isTableList(inner) && inner.length && depth < 2) {
    return make("tr", {}, make("td", { colspan: 2, class: "value-block" }, make("div", { class: "value-name" }, name), shown(inner, depth + 1)));
  }
  return make("tr", {}, make("th", { scope: "row" }, name), make("td", { "data-field": name }, isTree(inner) && !isPlainList(inner) && depth > 2 ? inShort(inner, 300) : shown(inner, depth + 1)));
}

function rows(items, depth) {
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const cell = (name, inner) => make("td", { "data-field": name }, inner === undefined || (isPlainList(inner) && !inner.length) ? "" : isTree(inner) && !isPlainList(inner) && depth > 1 ? inShort(inner, 120) : shown(inner, depth + 1));
  return make("div", { class: "value-scroll", tabindex: "0" }, make("table", { class: "value-table" },
    make("thead", {}, make("tr", {}, columns.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, items.map((item) => make("tr", {}, columns.map((name) => cell(name, item[name])))))));
}
