// @ts-check
// The pod view: a tile for every pod. The program provides the pods and their states, and only changed tiles are touched, so that a
// thousand tiles stay smooth. podcard.js is the card of the pod under the pointer.
import { around, element, read, soon } from "./dom.js";
import { cardStays, dismissCard, focusTile, hoverTile, mountCard, toggleMenu } from "./podcard.js";
import { onWords, say } from "./words.js";

/** @typedef {import("./go").PodGroup} PodGroup */
/** @typedef {{ name: string, label: string, item: HTMLElement, text: Text, count: HTMLElement }} State a state of pods, with its item in the legend */
/** @typedef {{ key: string, node: string, element: HTMLElement, name: string, state: number, number: number, row: number }} Tile */
/**
 * A group of tiles in boxes of a few rows.
 * @typedef {object} Group
 * @property {HTMLElement} element
 * @property {HTMLElement} swatch
 * @property {HTMLElement} title
 * @property {HTMLElement} count
 * @property {HTMLElement} box
 * @property {HTMLElement[]} boxes
 * @property {number} [inRow]
 */

/** @type {State[]} */
let states = []; // by number
/** @type {HTMLElement} */
let host;
/** @type {HTMLElement} */
let list;
/** @type {HTMLElement} */
let legend;
/** @type {HTMLElement} */
let empty;

// The last update from the program; it stays while the tab is closed.
/** @type {{ groups: PodGroup[], rows: string[], states: Uint8Array }} */
const shown = { groups: [], rows: [], states: new Uint8Array() };

/** @type {Map<string, Group>} */
let groups = new Map(); // by id
/** @type {Map<string, Tile>} */
let tiles = new Map(); // by key of the pod
/** @type {Tile[]} */
let order = []; // the tiles in the order of the rows
let current = ""; // the pod that has the tab stop

/**
 * @param {HTMLElement} root
 * @param {string[]} names of the states
 * @param {import("./page").Report} reporter
 */
export function mountPods(root, names, reporter) {
  host = root;
  groups = new Map();
  tiles = new Map();
  watchBoxes();
  widths.disconnect();
  legend = element("ul", "pod-legend", host);
  states = names.map(legendItem);
  wordStates();
  list = element("div", "pod-groups", host);
  empty = element("p", "empty", host);
  empty.textContent = say("pods-none");
  mountCard(host, reporter);
  host.addEventListener("pointerover", onHover);
  host.addEventListener("pointerleave", () => hoverTile(null));
  host.addEventListener("focusin", onFocus);
  host.addEventListener("focusout", () => focusTile(null));
  host.addEventListener("click", onClick);
  host.addEventListener("contextmenu", onClick);
  host.addEventListener("keydown", onKey);
  new ResizeObserver(onResize).observe(list);
  place();
  paint();
}

/**
 * pods takes the present pods. Groups and rows are null if they have not changed.
 * @param {string | null} groupsText
 * @param {string | null} rowsText
 * @param {Uint8Array} bytes the states by row
 */
export function pods(groupsText, rowsText, bytes) {
  const moved = groupsText !== null || rowsText !== null;
  if (groupsText !== null) shown.groups = read(/** @type {import("./go").Json<PodGroup[] | null>} */ (groupsText)) ?? [];
  if (rowsText !== null) shown.rows = rowsText === "" ? [] : rowsText.split("\n");
  shown.states = bytes;
  if (!host?.isConnected) return;
  if (moved) place();
  paint();
}

/**
 * @param {string} name
 * @returns {State}
 */
function legendItem(name) {
  const item = element("li", "pod-legend-item", legend);
  const sample = element("span", "pod-tile sample", item);
  sample.dataset.state = name;
  sample.setAttribute("aria-hidden", "true");
  const text = document.createTextNode("");
  item.append(text);
  return { name, label: "", item, text, count: element("b", "", item) };
}

// wordStates gives the states their names, once for all tiles.
function wordStates() {
  for (const state of states) {
    state.label = say(`state-${state.name}`);
    state.item.title = say(`is-${state.name}`);
    state.text.data = `${state.label} `;
  }
}

onWords(() => {
  if (!host?.isConnected) return;
  empty.textContent = say("pods-none");
  wordStates();
  for (const tile of tiles.values()) tile.state = -1; // its label is of words
  paint();
});

// place puts groups and tiles in order. It does not move an element that is in its place, because that would lose the focus.
function place() {
  const begin = performance.now();
  places.clear();
  const focused = tileOn(document.activeElement);
  const count = shown.rows.length;
  drop(groups, new Set(shown.groups.map((g) => g.id)), dropGroup);
  const size = count <= 30 ? "few" : count <= 200 ? "some" : "many";
  if (host.dataset.size !== size) {
    host.dataset.size = size;
    rowLength = perRow();
  }
  /** @type {Set<string>} */
  const kept = new Set();
  order = [];
  let first = 0; // row of the group
  let more = false;
  /** @type {(row: number, number: number) => HTMLElement[]} */
  const make = (row, number) => {
    const [key, node] = shown.rows[row].split("\t");
    more ||= row % 100 === 0 && performance.now() - begin > placeTime;
    if (more && !tiles.has(key)) return [];
    const tile = numbered(tileOf(key, node), number);
    tile.row = row;
    kept.add(key);
    order.push(tile);
    return [tile.element];
  };
  const elements = shown.groups.map((g, k) => {
    const group = groups.get(g.id) ?? newGroup(g.id);
    name(group, g);
    fit(group, g.size);
    const per = inRow(group);
    group.boxes.forEach((box, i) => {
      const from = i && i * rowsInBox * per, to = Math.min(from + rowsInBox * per, g.size);
      const inSight = count <= crowd || near(group, i, k, focused);
      box.style.height = inSight ? "" : `${Math.ceil((to - from) / per) * (tileSize + gap)}px`;
      /** @type {HTMLElement[]} */
      const members = [];
      for (let n = from; inSight && n < to; n++) members.push(...make(first + n, n < g.numbered ? n + 1 : 0));
      arrange(box, members);
    });
    first += g.size;
    arrange(group.box, group.boxes);
    return group.element;
  });
  drop(tiles, kept, () => {});
  arrange(list, elements);
  if (more) placeMore();
  empty.hidden = order.length > 0;
  keepFocus(focused);
  cardStays();
}

// Above this number of pods, only the pods in sight have a tile: a browser takes 15 µs to lay out and draw each.
const crowd = 400;

/**
 * near reports whether a box is in sight, or next to a box in sight. A new box is out of sight until the browser reports it; only the
 * first boxes have their tiles at once. A tile with the focus stays.
 * @param {Group} group
 * @param {number} i the box
 * @param {number} k the group's place
 * @param {Tile | undefined} focused
 */
function near(group, i, k, focused) {
  const { boxes } = group;
  if (boxes[i].contains(focused?.element ?? null)) return true;
  return i === 0 && k < 6 || [i - 1, i, i + 1].some((n) => boxes[n] && seen.has(boxes[n]));
}

/** @type {Set<Element>} */
let seen = new Set(); // boxes of tiles
/** @type {IntersectionObserver} */
let watch;

function watchBoxes() {
  watch?.disconnect();
  seen = new Set();
  watch = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) seen.add(target);
      else seen.delete(target);
    }
    if (shown.rows.length > crowd) placeMore();
  });
}

// Thousands of tiles are made in several frames, so that none is long.
const placeTime = 12; // ms
let placing = false;

function placeMore() {
  if (placing) return;
  placing = true;
  requestAnimationFrame(() => soon(() => {
    placing = false;
    if (!host?.isConnected) return;
    place();
    paint();
  }));
}

// A box has a few rows of tiles: the browser passes over boxes that are out of sight. Few tiles need only one.
const rowsInBox = 4;

/**
 * inRow is the number of tiles in a row of a group. Where boxes out of sight are empty, it must be exact, because it gives their height.
 * @param {Group} group
 */
const inRow = (group) => (shown.rows.length > crowd && group.inRow) || rowLength;

const widths = new ResizeObserver((changes) => {
  let more = false;
  for (const { target, contentRect } of changes) {
    const group = [...groups.values()].find((g) => g.box === target);
    const n = Math.max(1, Math.floor((contentRect.width - 1 + gap) / (tileSize + gap)));
    if (!group || group.inRow === n) continue;
    group.inRow = n;
    more ||= shown.rows.length > crowd;
  }
  if (more) placeMore();
});

/**
 * fit gives a group the boxes for a number of tiles.
 * @param {Group} group
 * @param {number} size
 */
function fit(group, size) {
  const count = Math.max(1, Math.ceil(size / (rowsInBox * inRow(group))));
  while (group.boxes.length < count) {
    const box = element("div", "pod-tiles");
    watch.observe(box);
    group.boxes.push(box);
  }
  for (const box of group.boxes.splice(count)) forget(box);
}

/** @param {HTMLElement} box */
function forget(box) {
  watch.unobserve(box);
  seen.delete(box);
}

const gap = 3; // px, see pods.css
let tileSize = 14; // px

// perRow is the number of tiles in a row.
function perRow() {
  if (host.dataset.size === "few") return Infinity;
  const style = getComputedStyle(legend.querySelector(".sample") ?? legend);
  tileSize = Number.parseFloat(style.getPropertyValue(host.dataset.size === "some" ? "--tile-some" : "--tile-many"));
  return Math.max(1, Math.floor((list.clientWidth - 1) / (tileSize + gap)));
}

// rowLength is kept, because asking for it makes the browser lay the page out at once.
let rowLength = Infinity;

function onResize() {
  places.clear();
  if (!host?.isConnected || perRow() === rowLength) return;
  rowLength = perRow();
  place();
  paint();
}

/**
 * drop removes the items whose keys are gone.
 * @template {{ element: HTMLElement }} Item
 * @param {Map<string, Item>} map
 * @param {Set<string>} keys
 * @param {(item: Item) => void} also
 */
function drop(map, keys, also) {
  for (const [key, item] of map) {
    if (keys.has(key)) continue;
    item.element.remove();
    also(item);
    map.delete(key);
  }
}

/** @param {Group} group */
function dropGroup({ box, boxes }) {
  widths.unobserve(box);
  boxes.forEach(forget);
}

/**
 * arrange gives a parent these children in this order.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} children
 */
function arrange(parent, children) {
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
  while (next) { // boxes that are no longer needed; drop has removed the tiles
    const gone = next;
    next = next.nextElementSibling;
    gone.remove();
  }
}

/** @param {string} id */
function newGroup(id) {
  const section = element("section", "pod-group");
  const head = element("h3", "pod-group-head", section);
  const swatch = element("span", "swatch", head);
  swatch.setAttribute("aria-hidden", "true");
  /** @type {Group} */
  const group = {
    element: section, swatch, title: element("span", "pod-group-title", head), count: element("span", "pod-group-count", head), box: element("div", "pod-box", section), boxes: [],
  };
  groups.set(id, group);
  widths.observe(group.box);
  return group;
}

/**
 * @param {Group} group
 * @param {PodGroup} g
 */
function name(group, g) {
  group.swatch.className = `swatch ${g.swatch}`;
  group.swatch.hidden = g.swatch === "";
  group.title.textContent = g.title;
  group.count.textContent = ` · ${g.count}`;
  group.count.title = g.hint;
}

/**
 * @param {string} key
 * @param {string} node
 */
function tileOf(key, node) {
  let tile = tiles.get(key);
  if (!tile) {
    const button = element("button", "pod-tile");
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.act = "pod-tile";
    button.dataset.key = key;
    button.dataset.short = key.slice(key.indexOf("/") + 1).slice(-5); // the difference between pods of one owner: x2x4z, or db-12
    tile = { key, node, element: button, name: key.slice(key.indexOf("/") + 1), state: -1, number: 0, row: 0 };
    tiles.set(key, tile);
  }
  if (tile.node !== node) {
    tile.node = node;
    tile.state = -1; // its label names the node
  }
  return tile;
}

/**
 * numbered shows the place of a tile in the order of deletion; 0 shows no number.
 * @param {Tile} tile
 * @param {number} number
 */
function numbered(tile, number) {
  if (tile.number === number) return tile;
  tile.number = number;
  if (number) tile.element.dataset.number = String(number);
  else delete tile.element.dataset.number;
  tile.state = -1;
  return tile;
}

// paint updates the tiles whose state has changed.
function paint() {
  const counts = new Array(states.length).fill(0);
  for (const state of shown.states) counts[state]++;
  order.forEach((tile) => {
    const state = shown.states[tile.row];
    if (tile.state === state) return;
    tile.state = state;
    tile.element.dataset.state = states[state].name;
    tile.element.setAttribute("aria-label", label(tile));
  });
  states.forEach(({ item, count }, i) => {
    const n = String(counts[i]);
    if (count.textContent === n) return;
    count.textContent = n;
    item.classList.toggle("none", counts[i] === 0);
  });
}

/** @param {Tile} tile */
const label = (tile) => `${tile.name}, ${states[tile.state].label}, ${tile.node || say("no-node")}${tile.number ? say("tile-rank", tile.number) : ""}`;

let lastIndex = 0; // of the current tile

/**
 * keepFocus keeps one tile in reach of the Tab key, and the focus where it was, or at the neighbour of a removed tile.
 * @param {Tile | undefined} focused
 */
function keepFocus(focused) {
  if (!tiles.has(current)) setCurrent(order[Math.min(lastIndex, order.length - 1)]);
  lastIndex = Math.max(0, indexOf(tiles.get(current)));
  const target = focused && (focused.element.isConnected ? focused : tiles.get(current));
  if (target && document.activeElement !== target.element) target.element.focus({ preventScroll: true });
}

/** @type {Map<string, { x: number, y: number }>} */
let places = new Map(); // of the tiles in the view, until they move

/**
 * tilePlace returns the middle of a pod's tile in the view, null if it has none.
 * @param {string} key
 */
export function tilePlace(key) {
  const known = places.get(key), tile = tiles.get(key)?.element;
  if (known || !tile?.isConnected) return known ?? null;
  const box = tile.getBoundingClientRect(), view = host.getBoundingClientRect();
  const place = { x: box.left + box.width / 2 - view.left, y: box.top + box.height / 2 - view.top + host.scrollTop };
  places.set(key, place);
  return place;
}

/** @param {Tile | undefined} tile */
const indexOf = (tile) => (tile ? order.indexOf(tile) : -1);

/** @param {Tile | undefined} tile */
function setCurrent(tile) {
  const before = tiles.get(current);
  if (before) before.element.tabIndex = -1;
  current = tile?.key ?? "";
  if (!tile) return;
  tile.element.tabIndex = 0;
  lastIndex = order.indexOf(tile);
}

/** @param {Event} e */
const tileAt = (e) => around(e, ".pod-tile[data-key]");
/** @param {Element | null} e */
const tileOn = (e) => (e instanceof HTMLElement ? tiles.get(e.dataset.key ?? "") : undefined);

/**
 * onHover changes nothing between two tiles, so that the card does not flicker.
 * @param {PointerEvent} e
 */
function onHover(e) {
  const tile = tileAt(e);
  if (e.pointerType === "mouse" && (tile || !around(e, ".pod-tiles"))) hoverTile(tile);
}

/** @param {Event} e */
function onFocus(e) {
  const tile = tileAt(e);
  if (tile) setCurrent(tileOn(tile));
  focusTile(tile?.matches(":focus-visible") ? tile : null);
}

/** @param {Event} e */
function onClick(e) {
  const tile = tileAt(e);
  if (!tile) return;
  e.preventDefault();
  setCurrent(tileOn(tile));
  toggleMenu(tile);
}

/** @param {KeyboardEvent} e */
function onKey(e) {
  const tile = tileAt(e);
  if (!tile || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
  if (e.key === "Escape") dismissCard();
  const i = indexOf(tileOn(tile));
  /** @type {Record<string, number>} */
  const keys = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: order.length - 1 };
  const to = keys[e.key] ?? vertical(i, e.key);
  if (to === undefined) return;
  e.preventDefault();
  order[to]?.element.focus();
}

/**
 * vertical finds the nearest tile in the row above or below.
 * @param {number} i
 * @param {string} key
 */
function vertical(i, key) {
  const step = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
  if (!step) return undefined;
  /** @param {number} k */
  const place = (k) => order[k].element.getBoundingClientRect();
  const from = place(i);
  /** @type {number | undefined} */
  let row;
  /** @type {{ k: number, distance: number } | undefined} */
  let best;
  for (let k = i + step; k >= 0 && k < order.length; k += step) {
    const { top, left } = place(k);
    if (Math.abs(top - from.top) < 2) continue;
    row ??= top;
    if (Math.abs(top - row) > 2) break;
    const distance = Math.abs(left - from.left);
    if (!best || distance < best.distance) best = { k, distance };
  }
  return best ? best.k : i;
}
