// The map of an episode's places: no tiles, only the points, one group of near ones (a town) at a time, with a scale.

const MAP = { width: 320, height: 240, margin: 22 };
const KM_A_DEGREE = 111.32;
const TOWN_KM = 60;
const chosenTown = { at: 0 };

function placesOf(episode) {
  const towns = townsOf(episode.places);
  chosenTown.at = 0;
  const room = make("div", { id: "map-room" });
  const show = (at) => {
    chosenTown.at = at;
    room.replaceChildren(mapOf(towns[at]), placeList(towns[at]));
    for (const button of tabs.children) button.setAttribute("aria-pressed", String(Number(button.dataset.town) === at));
    markPlaces(reading.turn);
  };
  const tabs = make("div", { class: "towns", role: "group", "aria-label": say("towns") }, towns.length < 2 ? [] : towns.slice(0, 8).map((town, at) =>
    make("button", { type: "button", class: "button small", "data-town": at, onclick: () => show(at) }, say("town", { number: at + 1, places: town.length }))));
  requestAnimationFrame(() => show(0));
  return [tabs, room];
}

function kilometres(a, b) {
  const east = (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180);
  return KM_A_DEGREE * Math.hypot(east, a.latitude - b.latitude);
}

// Put places together that lie near one another; the group with most places comes first.
function townsOf(places) {
  const towns = [];
  for (const place of places) {
    const near = towns.find((town) => kilometres(town[0], place) <= TOWN_KM);
    if (near) near.push(place);
    else towns.push([place]);
  }
  return towns.sort((a, b) => b.length - a.length);
}

function mapOf(places) {
  const middle = { longitude: mean(places, "longitude"), latitude: mean(places, "latitude") };
  const flat = places.map((place) => ({ place,
    east: (place.longitude - middle.longitude) * Math.cos((middle.latitude * Math.PI) / 180) * KM_A_DEGREE,
    north: (place.latitude - middle.latitude) * KM_A_DEGREE }));
  const reach = (key) => Math.max(...flat.map((spot) => Math.abs(spot[key])), 0.2);
  const scale = Math.min((MAP.width / 2 - MAP.margin) / reach("east"), (MAP.height / 2 - MAP.margin) / reach("north"));
  const rule = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].findLast((km) => km * scale <= MAP.width / 3) || 0.1;
  const kinds = [...new Set(places.map((place) => place.kind))];
  const spots = flat.map(({ place, east, north }) => {
    const x = MAP.width / 2 + east * scale, y = MAP.height / 2 - north * scale;
    return draw("g", { class: `spot kind-${kinds.indexOf(place.kind) % 8}`, "data-place-id": place.id, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
      draw("circle", { r: 5 }), draw("title", {}, `${place.name} (${place.kind})`));
  });
  return draw("svg", { class: "map", viewBox: `0 0 ${MAP.width} ${MAP.height}`, role: "img", "aria-label": say("map_label", { places: places.length }) },
    draw("path", { class: "grid", d: gridOf() }), spots,
    draw("g", { class: "rule", transform: `translate(10 ${MAP.height - 10})` }, draw("path", { d: `M0 -4V0H${rule * scale}V-4` }), draw("text", { x: rule * scale + 5, y: 2 }, `${rule} km`)));
}

const mean = (items, key) => items.reduce((sum, item) => sum + item[key], 0) / items.length;

function gridOf() {
  const lines = [];
  for (let x = 40; x < MAP.width; x += 40) lines.push(`M${x} 0V${MAP.height}`);
  for (let y = 40; y < MAP.height; y += 40) lines.push(`M0 ${y}H${MAP.width}`);
  return lines.join("");
}

function placeList(places) {
  const kinds = [...new Set(places.map((place) => place.kind))];
  const mark = (id, on) => { for (const spot of document.querySelectorAll("[data-place-id]")) if (spot.dataset.placeId === id) spot.classList.toggle("pointed", on); };
  return make("ul", { class: "places" }, places.map((place) => make("li", { "data-place-id": place.id, onmouseenter: () => mark(place.id, true), onmouseleave: () => mark(place.id, false) },
    make("span", { class: `dot kind-${kinds.indexOf(place.kind) % 8}`, "aria-hidden": "true" }), make("span", {}, place.name), make("span", { class: "soft" }, place.kind))));
}

// Places that the message being read names, by id or by name, stand out.
function markPlaces(turn) {
  const message = reading.episode.messages[turn];
  const words = message ? `${message.content || ""} ${(message.tool_calls || []).map((call) => call.function.arguments).join(" ")}` : "";
  const named = new Set(reading.episode.places.filter((place) => words.includes(place.id) || (place.name && words.includes(place.name))).map((place) => place.id));
  for (const spot of byId("panel").querySelectorAll("[data-place-id]")) spot.classList.toggle("named", named.has(spot.dataset.placeId));
}
