// Plots as inline SVG, drawn at the width they have, from the same figures that are exported as CSV, PNG and SVG.
// A figure: {name, form: bars | lines | spots, format, top, series: [{name, points: [{x, y, low, high, n, key}]}]}.

const colour = (place) => `var(--series-${place % 8})`;

function chartOf(figure) {
  const room = make("div", { class: "plot" });
  const legend = figure.series.length > 1 ? make("ul", { class: "legend" }, figure.series.map((series, at) =>
    make("li", {}, make("span", { class: "swatch", style: `background:${colour(series.place ?? at)}`, "aria-hidden": "true" }), series.name))) : null;
  const made = make("figure", { class: "chart", id: `figure-${figure.name}` },
    make("figcaption", {}, make("h3", {}, say(`figure_${figure.name}`)), make("p", { class: "soft small" }, say(`figure_${figure.name}_note`))),
    legend, room, tableOf(figure));
  new ResizeObserver(([entry]) => { if (entry.contentRect.width) room.replaceChildren(FORMS[figure.form](figure, Math.round(entry.contentRect.width))); }).observe(room);
  return made;
}

const FORMS = { bars: barsOf, lines: linesOf, spots: spotsOf };

const shownValue = (figure, value, digits) => (figure.format === "share" ? share(value, digits ?? 1) : number(value, digits ?? (Math.abs(value) < 10 ? 2 : 1)));
const category = (figure, name) => word(figure.categories, name);

function pointTitle(figure, series, point) {
  const interval = point.low === null ? "" : ` (${shownValue(figure, point.low)} – ${shownValue(figure, point.high)})`;
  const x = typeof point.x === "string" ? category(figure, point.x) : number(point.x, Number.isInteger(point.x) ? 0 : 2);
  return `${series.name ? `${series.name} · ` : ""}${point.label ? `${point.label} · ` : ""}${x}: ${shownValue(figure, point.y)}${interval}${point.n ? ` · n = ${number(point.n)}` : ""}`;
}

// Horizontal bars, grouped by category, with whiskers for the intervals: readable at any width.
function barsOf(figure, width) {
  const names = [...new Set(figure.series.flatMap((series) => series.points.map((point) => point.x)))];
  const bar = figure.series.length > 1 ? 15 : 18, gap = 14, label = 19;
  const top = figure.top ?? (Math.max(...figure.series.flatMap((series) => series.points.map((point) => point.high ?? point.y)), 0) || 1);
  const right = width - 62;
  const x = (value) => (right * Math.max(0, value)) / top;
  const parts = [];
  let y = 0;
  for (const name of names) {
    parts.push(draw("text", { class: "category", x: 0, y: y + 12 }, category(figure, name)));
    y += label;
    figure.series.forEach((series, at) => {
      const point = series.points.find((one) => one.x === name);
      if (!point) return;
      const thick = bar - 4, middle = y + thick / 2;
      parts.push(draw("g", { class: "bar" }, draw("rect", { class: "track", x: 0, y, width: right, height: thick, rx: 2 }),
        draw("rect", { x: 0, y, width: Math.max(1, x(point.y)), height: thick, rx: 2, fill: colour(series.place ?? at) }),
        point.low === null ? null : draw("path", { class: "whisker", d: `M${x(point.low)} ${middle}H${x(point.high)}` }),
        draw("text", { class: "value", x: width, y: middle + 4 }, shownValue(figure, point.y, figure.format === "share" ? 1 : undefined)),
        draw("title", {}, pointTitle(figure, series, point))));
      y += bar;
    });
    y += gap;
  }
  return canvas(figure, width, Math.max(40, y - gap + 4), parts);
}

function frame(figure, width, height, marks) {
  const low = Math.min(figure.bottom ?? 0, ...marks.map((point) => point.low ?? point.y));
  const high = figure.top ?? (Math.max(...marks.map((point) => point.high ?? point.y), 0) || 1);
  const xs = marks.map((point) => point.x);
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const box = { left: 46, right: width - 14, top: 10, low: height - 38 };
  const x = (value) => (last === first ? (box.left + box.right) / 2 : box.left + ((box.right - box.left) * (value - first)) / (last - first));
  const y = (value) => box.low - ((box.low - box.top) * (value - low)) / (high - low || 1);
  const axis = [];
  for (const value of ticks(low, high, 5)) {
    axis.push(draw("path", { class: "grid", d: `M${box.left} ${y(value)}H${box.right}` }),
      draw("text", { class: "tick-y", x: box.left - 8, y: y(value) + 4 }, figure.format === "share" ? `${number(100 * value)} %` : number(value, value % 1 ? 1 : 0)));
  }
  const own = [...new Set(xs)];
  for (const value of own.length <= 8 && own.every(Number.isInteger) ? own : ticks(first, last, 6)) {
    axis.push(draw("text", { class: "tick-x", x: x(value), y: box.low + 17 }, figure.x_format === "share" ? `${number(100 * value)} %` : number(value, value % 1 ? (Math.abs(last - first) < 1 ? 2 : 1) : 0)));
  }
  axis.push(draw("text", { class: "axis-name", x: (box.left + box.right) / 2, y: height - 4 }, say(`figure_${figure.name}_x`)));
  return { x, y, axis, box };
}

function ticks(low, high, most) {
  const span = high - low || 1;
  const step = [1, 2, 2.5, 5, 10].map((part) => part * 10 ** Math.floor(Math.log10(span / most))).find((size) => span / size <= most);
  const out = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + 1e-9; value += step) out.push(Number(value.toFixed(10)));
  return out;
}

function linesOf(figure, width) {
  const height = 260;
  const { x, y, axis } = frame(figure, width, height, figure.series.flatMap((series) => series.points));
  const dense = figure.series.some((series) => series.points.length > 24);
  const lines = figure.series.map((series, at) => {
    const stroke = colour(series.place ?? at), points = series.points;
    const band = points.every((point) => point.low !== null) && points.length > 1
      ? draw("path", { class: "band", fill: stroke, d: `M${points.map((p) => `${x(p.x)} ${y(p.high)}`).join("L")}L${[...points].reverse().map((p) => `${x(p.x)} ${y(p.low)}`).join("L")}Z` }) : null;
    return draw("g", {}, band, draw("path", { class: `line${series.dashed ? " dashed" : ""}`, stroke, d: `M${points.map((p) => `${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join("L")}` }),
      points.map((point) => draw("circle", { class: dense ? "spot-hidden" : "spot-small", cx: x(point.x), cy: y(point.y), r: dense ? 5 : 3.2, fill: stroke }, draw("title", {}, pointTitle(figure, series, point)))));
  });
  return canvas(figure, width, height, [axis, lines]);
}

function spotsOf(figure, width) {
  const height = 280;
  const { x, y, axis } = frame(figure, width, height, figure.series.flatMap((series) => series.points));
  const spots = figure.series.map((series, at) => series.points.map((point) => draw("g", { class: "spot-mark" },
    point.low === null ? null : draw("path", { class: "whisker-spot", stroke: colour(series.place ?? at), d: `M${x(point.x)} ${y(point.low)}V${y(point.high)}` }),
    draw("circle", { cx: x(point.x), cy: y(point.y), r: point.low === null ? 3.5 : 4, fill: colour(series.place ?? at) }, draw("title", {}, pointTitle(figure, series, point))))));
  return canvas(figure, width, height, [axis, spots]);
}

const canvas = (figure, width, height, parts) => draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": say(`figure_${figure.name}`) }, ...parts);

// The same figures as a table, for those who want the numbers or cannot see the plot.
function tableOf(figure) {
  const made = make("details", { class: "figures small" }, make("summary", {}, say("as_table")));
  made.addEventListener("toggle", () => {
    if (!made.open || made.children.length > 1) return;
    const points = figure.series.flatMap((series) => series.points.map((point) => [series.name, point]));
    const labelled = points.some(([, point]) => point.label);
    const heads = [say("series"), ...(labelled ? [say("name")] : []), "x", "y", "95 %", "n"];
    made.append(make("div", { class: "value-scroll", tabindex: "0" }, make("table", { class: "value-table" }, make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, points.slice(0, 400).map(([name, point]) => make("tr", {}, make("td", {}, name), labelled ? make("td", {}, point.label || "") : null,
        make("td", {}, typeof point.x === "string" ? category(figure, point.x) : number(point.x, point.x % 1 ? 2 : 0)), make("td", {}, shownValue(figure, point.y)),
        make("td", {}, point.low === null ? "–" : `${shownValue(figure, point.low)} – ${shownValue(figure, point.high)}`), make("td", {}, point.n ? number(point.n) : "–")))))));
  });
  return made;
}
