// The card of the pod under the pointer or with the focus: its life as a strip over the time span of the chart, and the menu of
// actions that a click adds. The program provides the content for the name of the pod.
import { element } from "./dom.js";
import { cursorTime, seconds } from "./plot.js";
import { onSpan, part, span } from "./span.js";
import { onWords, say } from "./words.js";

// What the menu offers: the mark of the item, which is the key of its text too, the action, and the field of the card with the action's value.
const offers = [
  ["pod-delete", "run", "delete"],
  ["pod-crash", "do", "crash"],
  ["pod-fail-readiness", "do", "fail"],
  ["pod-restore-readiness", "do", "restore"],
  ["pod-why", "record", "record"],
];

let report = () => {};
let card = null;
let name, state, facts, rank, strip, now, ends, menu;

// The tiles that ask for the card: the one of the menu, the one under the mouse, the one with the focus.
let pinned = null;
let hovered = null;
let focused = null;
let dismissed = null; // by Escape, until something else is pointed at

let asked = ""; // the pod of the last request
let latest = null; // the answer
let placed = ""; // the place of the card
let waits = false;

export function mountCard(host, reporter) {
  report = reporter;
  pinned = hovered = focused = dismissed = null;
  card = element("div", "pod-card", host);
  card.dataset.act = "pod-card";
  card.hidden = true;
  name = element("p", "pod-card-name mono", card);
  state = element("p", "pod-card-state", card);
  facts = element("p", "pod-card-facts", card);
  rank = element("p", "pod-card-facts", card);
  strip = element("div", "pod-life", card);
  now = element("i", "pod-life-now", strip);
  ends = element("p", "pod-life-ends", card);
  element("span", "", ends);
  element("span", "", ends);
  menu = element("div", "pod-menu", card);
  menu.setAttribute("role", "menu");
  menu.append(...offers.map(menuItem));
  menu.addEventListener("keydown", onMenuKey);
  menu.addEventListener("focusout", (e) => { if (e.relatedTarget && e.relatedTarget !== pinned && !menu.contains(e.relatedTarget)) close(); });
  ask();
}

function menuItem([act, action, field]) {
  const item = document.createElement("button");
  item.type = "button";
  item.className = "pod-menu-item";
  item.dataset.act = act;
  item.tabIndex = -1;
  item.setAttribute("role", "menuitem");
  item.textContent = say(act);
  item.addEventListener("click", () => {
    const value = latest[field];
    const tile = pinned;
    close();
    tile?.focus({ preventScroll: true });
    report(action, value);
  });
  return item;
}

onWords(() => { if (card) offers.forEach(([act], i) => { menu.children[i].textContent = say(act); }); });

export function hoverTile(tile) {
  if (hovered === tile) return;
  hovered = tile;
  dismissed = null;
  ask();
}

export function focusTile(tile) {
  focused = tile;
  dismissed = null;
  ask();
}

export function toggleMenu(tile) {
  pinned = pinned === tile ? null : tile;
  dismissed = null;
  ask();
}

// cardStays is for after the tiles were put in their places: the card's may be gone, or elsewhere.
export function cardStays() {
  if (!card || (!asked && !pinned && !hovered && !focused)) return;
  placed = "";
  ask();
}

function close() { pinned = null; ask(); }

const target = () => [pinned, hovered, focused].find((tile) => tile?.isConnected && tile !== dismissed) ?? null;

// ask updates the card for the pod under the pointer, once per frame.
function ask() {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    if (pinned && !pinned.isConnected) leave();
    const key = target()?.dataset.key ?? "";
    if (key !== asked) {
      asked = key;
      report("pod-card", key);
    }
    show();
  });
}

// leave closes the menu of a pod that is gone. The focus goes to the tile that the Tab key would reach.
function leave() {
  if (menu.contains(document.activeElement)) card.parentElement.querySelector('[data-key][tabindex="0"]')?.focus({ preventScroll: true });
  pinned = null;
}

// podCard takes the program's answer, null for a pod that is not there.
export function podCard(text) {
  latest = JSON.parse(text);
  if (card?.isConnected) show();
}

function show() {
  const tile = target();
  if (!tile || latest?.key !== tile.dataset.key) {
    card.hidden = true;
    placed = "";
    return;
  }
  fill();
  card.hidden = false;
  const where = `${latest.key} ${pinned === tile}`;
  if (placed === where) return;
  placed = where;
  place(tile);
  if (pinned === tile && !menu.contains(document.activeElement)) menu.firstElementChild.focus({ preventScroll: true });
}

function fill() {
  name.textContent = latest.name;
  state.textContent = latest.state;
  facts.textContent = latest.facts;
  rank.textContent = latest.rank;
  rank.hidden = latest.rank === "";
  drawLife();
  menu.hidden = !pinned;
  menu.setAttribute("aria-label", latest.name);
  offers.forEach(([, action, field], i) => {
    menu.children[i].disabled = action === "record" && latest[field] < 0;
    menu.children[i].title = action === "do" ? `# ${latest[field]}` : action === "run" ? latest[field] : "";
  });
}

function drawLife() {
  if (!card?.isConnected || !latest) return;
  const { from, to } = span();
  ends.firstElementChild.textContent = seconds(from);
  ends.lastElementChild.textContent = seconds(to);
  strip.replaceChildren(...latest.life.filter((s) => s.to >= from && s.from <= to).map(segment), now);
  cardCursor();
}

onSpan(drawLife);

const inside = (t) => 100 * Math.min(Math.max(part(t), 0), 1);

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
  if (card?.isConnected && latest) now.style.left = `${inside(cursorTime())}%`;
}

// place puts the card below the tile, or above it where there is more room, and inside the window.
function place(tile) {
  const at = tile.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const gap = 6;
  const above = at.bottom + gap + height > innerHeight && at.top > innerHeight - at.bottom;
  const left = Math.min(Math.max(at.left + at.width / 2 - width / 2, gap), innerWidth - width - gap);
  card.style.left = `${left}px`;
  card.style.top = above ? "auto" : `${Math.max(gap, Math.min(at.bottom + gap, innerHeight - height - gap))}px`;
  card.style.bottom = above ? `${Math.max(gap, Math.min(innerHeight - at.top + gap, innerHeight - height - gap))}px` : "auto";
}

function onMenuKey(e) {
  const items = [...menu.children].filter((item) => !item.disabled);
  const i = items.indexOf(document.activeElement);
  const to = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: -1 }[e.key];
  if (to !== undefined) items.at(to % items.length).focus();
  else if (e.key === "Escape") dismissCard();
  else return;
  e.preventDefault();
  e.stopPropagation();
}

// dismissCard closes the card and its menu; the focus is on the tile then.
export function dismissCard() {
  const tile = target();
  close();
  if (menu.contains(document.activeElement)) tile?.focus({ preventScroll: true });
  dismissed = tile;
}

document.addEventListener("pointerdown", (e) => {
  if (pinned && !card.contains(e.target) && !pinned.contains(e.target)) close();
});

// Whatever scrolls takes the tile along: the card follows.
document.addEventListener("scroll", () => {
  if (!card?.isConnected || card.hidden) return;
  placed = "";
  ask();
}, { capture: true, passive: true });
