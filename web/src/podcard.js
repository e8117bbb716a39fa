// @ts-check
// The card of the pod under the pointer or with the focus: its life as a strip over the time span of the chart, and the menu of
// actions that a click adds. The program provides the content for the name of the pod.
import { element, read } from "./dom.js";
import { cursorTime, seconds } from "./plot.js";
import { onSpan, part, span } from "./span.js";
import { onWords, say } from "./words.js";

/** @typedef {import("./go").PodCard} Card */

// The items of the menu: the mark, which is also the key of the text, the action, and the field of the card with the action's value.
/** @type {[act: string, action: string, field: "delete" | "crash" | "fail" | "restore" | "record"][]} */
const offers = [
  ["pod-delete", "run", "delete"],
  ["pod-crash", "do", "crash"],
  ["pod-fail-readiness", "do", "fail"],
  ["pod-restore-readiness", "do", "restore"],
  ["pod-why", "record", "record"],
];

/** @type {import("./page").Report} */
let report = () => {};
/** @type {Parts | null} */
let card = null;

/**
 * @typedef {object} Parts
 * @property {HTMLElement} box
 * @property {HTMLElement} name
 * @property {HTMLElement} state
 * @property {HTMLElement} facts
 * @property {HTMLElement} rank
 * @property {HTMLElement} strip
 * @property {HTMLElement} now
 * @property {HTMLElement} from
 * @property {HTMLElement} to
 * @property {HTMLElement} menu
 * @property {HTMLButtonElement[]} items
 */

// The tiles that want the card: of the menu, under the mouse, with the focus.
/** @type {HTMLElement | null} */
let pinned = null;
/** @type {HTMLElement | null} */
let hovered = null;
/** @type {HTMLElement | null} */
let focused = null;
/** @type {HTMLElement | null} */
let dismissed = null; // by Escape, until the pointer or the focus moves

let requested = ""; // the pod of the last request
/** @type {Card | null} */
let latest = null; // the answer
let placed = ""; // the place of the card
let waits = false;

/**
 * @param {HTMLElement} host
 * @param {import("./page").Report} reporter
 */
export function mountCard(host, reporter) {
  report = reporter;
  pinned = hovered = focused = dismissed = null;
  const box = element("div", "pod-card", host, "pod-card");
  box.hidden = true;
  const name = element("p", "pod-card-name mono", box);
  const state = element("p", "pod-card-state", box);
  const facts = element("p", "pod-card-facts", box);
  const rank = element("p", "pod-card-facts", box);
  const strip = element("div", "pod-life", box);
  const now = element("i", "pod-life-now", strip);
  const ends = element("p", "pod-life-ends", box);
  const from = element("span", "", ends);
  const to = element("span", "", ends);
  const menu = element("div", "pod-menu", box);
  const items = offers.map(menuItem);
  menu.setAttribute("role", "menu");
  menu.append(...items);
  menu.addEventListener("keydown", onMenuKey);
  menu.addEventListener("focusout", ({ relatedTarget: next }) => {
    if (next instanceof Node && next !== pinned && !menu.contains(next)) close();
  });
  card = { box, name, state, facts, rank, strip, now, from, to, menu, items };
  update();
}

/** @param {typeof offers[number]} offer */
function menuItem([act, action, field]) {
  const item = document.createElement("button");
  item.type = "button";
  item.className = "pod-menu-item";
  item.dataset.act = act;
  item.tabIndex = -1;
  item.setAttribute("role", "menuitem");
  item.textContent = say(act);
  item.addEventListener("click", () => {
    const value = latest?.[field];
    const tile = pinned;
    close();
    tile?.focus({ preventScroll: true });
    report(action, value);
  });
  return item;
}

onWords(() => card?.items.forEach((item, i) => { item.textContent = say(offers[i][0]); }));

/** @param {HTMLElement | null} tile */
export function hoverTile(tile) {
  if (hovered === tile) return;
  hovered = tile;
  dismissed = null;
  update();
}

/** @param {HTMLElement | null} tile */
export function focusTile(tile) {
  focused = tile;
  dismissed = null;
  update();
}

/** @param {HTMLElement} tile */
export function toggleMenu(tile) {
  pinned = pinned === tile ? null : tile;
  dismissed = null;
  update();
}

// cardStays is called after a change of the tiles: the tile of the card may be gone, or elsewhere.
export function cardStays() {
  if (!card || (!requested && !pinned && !hovered && !focused)) return;
  placed = "";
  update();
}

function close() {
  pinned = null;
  update();
}

const target = () => [pinned, hovered, focused].find((tile) => tile?.isConnected && tile !== dismissed) ?? null;

// update shows the card of the pod under the pointer, once per frame.
function update() {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    if (pinned && !pinned.isConnected) leave();
    const key = target()?.dataset.key ?? "";
    if (key !== requested) {
      requested = key;
      report("pod-card", key);
    }
    show();
  });
}

// leave closes the menu of a pod that is gone. The focus goes to the tile that the Tab key would reach.
function leave() {
  if (card?.menu.contains(document.activeElement)) focus(card.box.parentElement?.querySelector('[data-key][tabindex="0"]'));
  pinned = null;
}

/** @param {Element | null | undefined} e */
function focus(e) {
  if (e instanceof HTMLElement) e.focus({ preventScroll: true });
}

/**
 * podCard takes the program's answer, null for a pod that does not exist.
 * @param {string} text
 */
export function podCard(text) {
  latest = read(/** @type {import("./go").Json<Card | null>} */ (text));
  if (card?.box.isConnected) show();
}

function show() {
  if (!card) return;
  const tile = target();
  if (!tile || latest?.key !== tile.dataset.key || !latest) {
    card.box.hidden = true;
    placed = "";
    return;
  }
  fill(card, latest);
  card.box.hidden = false;
  const where = `${latest.key} ${pinned === tile}`;
  if (placed === where) return;
  placed = where;
  place(card.box, tile);
  if (pinned === tile && !card.menu.contains(document.activeElement)) focus(card.items[0]);
}

/**
 * @param {Parts} card
 * @param {Card} of
 */
function fill({ name, state, facts, rank, menu, items }, of) {
  name.textContent = of.name;
  state.textContent = of.state;
  facts.textContent = of.facts;
  rank.textContent = of.rank;
  rank.hidden = of.rank === "";
  drawLife();
  menu.hidden = !pinned;
  menu.setAttribute("aria-label", of.name);
  offers.forEach(([, action, field], i) => {
    items[i].disabled = action === "record" && of.record < 0;
    items[i].title = action === "do" ? `# ${of[field]}` : action === "run" ? String(of[field]) : "";
  });
}

function drawLife() {
  if (!card?.box.isConnected || !latest) return;
  const { from, to } = span();
  card.from.textContent = seconds(from);
  card.to.textContent = seconds(to);
  card.strip.replaceChildren(...(latest.life ?? []).filter((s) => s.to >= from && s.from <= to).map(segment), card.now);
  cardCursor();
}

onSpan(drawLife);

/** @param {number} t */
const inside = (t) => 100 * Math.min(Math.max(part(t), 0), 1);

/** @param {import("./go").LifePart} s */
function segment(s) {
  const e = document.createElement("span");
  e.className = "pod-life-part";
  e.dataset.state = s.state;
  e.title = s.title;
  e.style.left = `${inside(s.from)}%`;
  e.style.width = `${inside(s.to) - inside(s.from)}%`;
  return e;
}

// cardCursor moves the mark of the cursor on the strip.
export function cardCursor() {
  if (card?.box.isConnected && latest) card.now.style.left = `${inside(cursorTime())}%`;
}

/**
 * place puts the card below the tile, or above it where there is more room, and inside the window.
 * @param {HTMLElement} card
 * @param {HTMLElement} tile
 */
function place(card, tile) {
  const at = tile.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const gap = 6;
  const above = at.bottom + gap + height > innerHeight && at.top > innerHeight - at.bottom;
  const left = Math.min(Math.max(at.left + at.width / 2 - width / 2, gap), innerWidth - width - gap);
  card.style.left = `${left}px`;
  card.style.top = above ? "auto" : `${Math.max(gap, Math.min(at.bottom + gap, innerHeight - height - gap))}px`;
  card.style.bottom = above ? `${Math.max(gap, Math.min(innerHeight - at.top + gap, innerHeight - height - gap))}px` : "auto";
}

/** @param {KeyboardEvent} e */
function onMenuKey(e) {
  const items = (card?.items ?? []).filter((item) => !item.disabled);
  const i = items.findIndex((item) => item === document.activeElement);
  /** @type {Record<string, number>} */
  const keys = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: -1 };
  const to = keys[e.key];
  if (to !== undefined) items.at(to % items.length)?.focus();
  else if (e.key === "Escape") dismissCard();
  else return;
  e.preventDefault();
  e.stopPropagation();
}

// dismissCard closes the card and its menu; the focus is on the tile then.
export function dismissCard() {
  const tile = target();
  close();
  if (card?.menu.contains(document.activeElement)) focus(tile);
  dismissed = tile;
}

document.addEventListener("pointerdown", ({ target }) => {
  if (pinned && target instanceof Node && !card?.box.contains(target) && !pinned.contains(target)) close();
});

// A scroll moves the tile, and the card follows it.
document.addEventListener("scroll", () => {
  if (!card?.box.isConnected || card.box.hidden) return;
  placed = "";
  update();
}, { capture: true, passive: true });
