// The pod view: a tile for every pod. The program provides the pods and their states, and only tiles that change are touched, so
// that a thousand of them stay smooth. podcard.js is the card of the pod under the pointer.
import { element, soon } from "./dom.js";
import { cardStays, dismissCard, focusTile, hoverTile, mountCard, toggleMenu } from "./podcard.js";
import { onWords, say } from "./words.js";

let states = []; // { name, label } by number
let host = null;
let list, legend, empty;

// The last update from the program; it stays while the tab is closed.
const shown = { groups: [], rows: [], states: new Uint8Array() };

let groups = new Map(); // by id
let tiles = new Map(); // by key of the pod
let order = []; // the tiles in the order of the rows
let current = ""; // the pod that has the tab stop

export function mountPods(root, stateList, reporter) {
  states = JSON.parse(stateList).map((state) => ({ name: state, label: "" }));
  host = root.querySelector('[data-act="pod-view"]');
  groups = new Map();
  tiles = new Map();
  watchBoxes();
  widths.disconnect();
  legend = element("ul", "pod-legend", host);
  legend.append(...states.map(legendItem));
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

// pods takes what there is. Groups and rows are null if they are as before.
export function pods(groupsText, rowsText, bytes) {
  const moved = groupsText !== null || rowsText !== null;
  if (groupsText !== null) shown.groups = JSON.parse(groupsText);
  if (rowsText !== null) shown.rows = rowsText === "" ? [] : rowsText.split("\n");
  shown.states = bytes;
  if (!host?.isConnected) return;
  if (moved) place();
  paint();
}

function legendItem(state) {
  const item = element("li", "pod-legend-item");
  const sample = element("span", "pod-tile sample", item);
  sample.dataset.state = state.name;
  sample.setAttribute("aria-hidden", "true");
  item.append("");
  element("b", "", item);
  return item;
}

// wordStates gives the states their names, once for all tiles.
function wordStates() {
  states.forEach((state, i) => {
    state.label = say(`state-${state.name}`);
    legend.children[i].title = say(`is-${state.name}`);
    legend.children[i].childNodes[1].data = `${state.label} `;
  });
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
  const focused = tiles.get(document.activeElement?.dataset.key);
  const count = shown.rows.length;
  drop(groups, new Set(shown.groups.map((g) => g.id)));
  const size = count <= 30 ? "few" : count <= 200 ? "some" : "many";
  if (host.dataset.size !== size) {
    host.dataset.size = size;
    rowLength = perRow();
  }
  const kept = new Set();
  order = [];
  let first = 0; // row of the group
  let more = false;
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
      const members = [];
      for (let n = from; inSight && n < to; n++) members.push(...make(first + n, n < g.numbered ? n + 1 : 0));
      arrange(box, members);
    });
    first += g.size;
    arrange(group.box, group.boxes);
    return group.element;
  });
  drop(tiles, kept);
  arrange(list, elements);
  if (more) placeMore();
  empty.hidden = order.length > 0;
  keepFocus(focused);
  cardStays();
}

// Of more pods than that, only those in sight have a tile: a browser takes 15 µs to lay out and draw each.
const crowd = 400;

// near says whether a box is in sight, or next to one that is. A new box is not, until the browser says so; only the first boxes have
// their tiles at once. A tile with the focus stays.
function near(group, i, k, focused) {
  const { boxes } = group;
  if (boxes[i].contains(focused?.element ?? null)) return true;
  return i === 0 && k < 6 || [i - 1, i, i + 1].some((n) => boxes[n] && seen.has(boxes[n]));
}

let seen = new Set(); // boxes of tiles
let watch = null;

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

// inRow is how many tiles stand in a row of a group. Where boxes out of sight are empty, it must be exact, because it gives their height.
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

// fit gives a group the boxes for so many tiles.
function fit(group, size) {
  const count = Math.max(1, Math.ceil(size / (rowsInBox * inRow(group))));
  while (group.boxes.length < count) {
    const box = element("div", "pod-tiles");
    watch.observe(box);
    group.boxes.push(box);
  }
  for (const box of group.boxes.splice(count)) forget(box);
}

function forget(box) {
  watch.unobserve(box);
  seen.delete(box);
}

const gap = 3; // px, see pods.css
let tileSize = 14; // px

// perRow is how many tiles stand in a row.
function perRow() {
  if (host.dataset.size === "few") return Infinity;
  const style = getComputedStyle(legend.querySelector(".sample"));
  tileSize = Number.parseFloat(style.getPropertyValue(host.dataset.size === "some" ? "--tile-some" : "--tile-many"));
  return Math.max(1, Math.floor((list.clientWidth - 1) / (tileSize + gap)));
}

// rowLength is kept, because asking for it makes the browser lay the page out at once.
let rowLength = Infinity;

function onResize() {
  if (!host?.isConnected || perRow() === rowLength) return;
  rowLength = perRow();
  place();
  paint();
}

function drop(map, keys) {
  for (const [key, item] of map) {
    if (keys.has(key)) continue;
    item.element.remove();
    if (item.box) widths.unobserve(item.box);
    item.boxes?.forEach(forget);
    map.delete(key);
  }
}

function arrange(parent, children) {
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
  while (next) { // boxes that are not needed any more; a tile that is gone was removed already
    const gone = next;
    next = next.nextElementSibling;
    gone.remove();
  }
}

function newGroup(id) {
  const section = element("section", "pod-group");
  const head = element("h3", "pod-group-head", section);
  const swatch = element("span", "swatch", head);
  swatch.setAttribute("aria-hidden", "true");
  const group = {
    element: section, swatch, title: element("span", "pod-group-title", head), count: element("span", "pod-group-count", head), box: element("div", "pod-box", section), boxes: [],
  };
  groups.set(id, group);
  widths.observe(group.box);
  return group;
}

function name(group, g) {
  group.swatch.className = `swatch ${g.swatch}`;
  group.swatch.hidden = g.swatch === "";
  group.title.textContent = g.title;
  group.count.textContent = ` · ${g.count}`;
  group.count.title = g.hint;
}

function tileOf(key, node) {
  let tile = tiles.get(key);
  if (!tile) {
    const button = element("button", "pod-tile");
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.act = "pod-tile";
    button.dataset.key = key;
    button.dataset.short = key.slice(key.indexOf("/") + 1).slice(-5); // what tells pods of one owner apart: x2x4z, or db-12
    tile = { key, node, element: button, name: key.slice(key.indexOf("/") + 1), state: -1, number: 0 };
    tiles.set(key, tile);
  }
  if (tile.node !== node) {
    tile.node = node;
    tile.state = -1; // its label names the node
  }
  return tile;
}

// numbered shows the place of a tile in the order of deletion, 0 for none.
function numbered(tile, number) {
  if (tile.number === number) return tile;
  tile.number = number;
  if (number) tile.element.dataset.number = number;
  else delete tile.element.dataset.number;
  tile.state = -1;
  return tile;
}

// paint gives each tile whose state is another than before its new one.
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
  counts.forEach((n, i) => {
    const item = legend.children[i];
    const number = item.lastElementChild;
    if (number.textContent === String(n)) return;
    number.textContent = n;
    item.classList.toggle("none", n === 0);
  });
}

const label = (tile) => `${tile.name}, ${states[tile.state].label}, ${tile.node || say("no-node")}${tile.number ? say("tile-rank", tile.number) : ""}`;

let lastIndex = 0; // of the current tile

// keepFocus keeps one tile in reach of the Tab key, and the focus where it was, or at the neighbour of a tile that is gone.
function keepFocus(focused) {
  if (!tiles.has(current)) setCurrent(order[Math.min(lastIndex, order.length - 1)]);
  lastIndex = Math.max(0, order.indexOf(tiles.get(current)));
  const target = focused && (focused.element.isConnected ? focused : tiles.get(current));
  if (target && document.activeElement !== target.element) target.element.focus({ preventScroll: true });
}

function setCurrent(tile) {
  const before = tiles.get(current);
  if (before) before.element.tabIndex = -1;
  current = tile?.key ?? "";
  if (!tile) return;
  tile.element.tabIndex = 0;
  lastIndex = order.indexOf(tile);
}

const tileAt = (e) => e.target.closest?.(".pod-tile[data-key]") ?? null;

// Between two tiles nothing changes, so that the card does not flicker.
function onHover(e) {
  const tile = tileAt(e);
  if (e.pointerType === "mouse" && (tile || !e.target.closest(".pod-tiles"))) hoverTile(tile);
}

function onFocus(e) {
  const tile = tileAt(e);
  if (tile) setCurrent(tiles.get(tile.dataset.key));
  focusTile(tile?.matches(":focus-visible") ? tile : null);
}

function onClick(e) {
  const tile = tileAt(e);
  if (!tile) return;
  e.preventDefault();
  setCurrent(tiles.get(tile.dataset.key));
  toggleMenu(tile);
}

function onKey(e) {
  const tile = tileAt(e);
  if (!tile || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
  if (e.key === "Escape") dismissCard();
  const i = order.indexOf(tiles.get(tile.dataset.key));
  const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: order.length - 1 }[e.key] ?? vertical(i, e.key);
  if (to === undefined) return;
  e.preventDefault();
  order[to]?.element.focus();
}

// vertical finds the nearest tile in the row above or below.
function vertical(i, key) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (!step) return undefined;
  const place = (k) => order[k].element.getBoundingClientRect();
  const from = place(i);
  let row, best;
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
