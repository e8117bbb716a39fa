// @ts-check
// The keys of the page. A field with the focus keeps its keys, and so does a control that uses the key itself.
import { around, dialog } from "./dom.js";

/** @type {Record<string, string>} */
const actions = {
  " ": "toggle",
  ArrowLeft: "step-prev",
  ArrowRight: "step-next",
  Home: "start",
  End: "end",
  ",": "prev-second",
  ".": "next-second",
  c: "counts",
  l: "loop",
  b: "lesson-back",
  n: "lesson-next",
  "+": "faster",
  "=": "faster",
  "-": "slower",
  p: "present",
  u: "undo",
  r: "redo",
};

// Keys whose action Shift changes. The other keys ignore Shift, because a layout may need it to reach them.
/** @type {Record<string, string>} */
const shifted = { ArrowLeft: "prev-moment", ArrowRight: "next-moment" };

const apple = /^(Mac|iP)/.test(navigator.platform); // where Ctrl-K deletes to the end of a line

/** @param {import("./page").Report} report */
export function bindKeys(report) {
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey && e.code === "Backquote") {
      e.preventDefault();
      toPrompt(e);
      return;
    }
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
    const target = e.composedPath()[0];
    if (!(target instanceof Element) || typing(target) || own(target, e.key)) return;
    if (e.key === "?") dialog("help")?.showModal();
    else if (e.key === "Escape" && presenting()) report("present", "off");
    else if (action(e) === "present") report("present", "toggle");
    else if (action(e)) report("key", action(e));
    else return;
    e.preventDefault();
  });
  document.addEventListener("keydown", (e) => {
    if (e.key.toLowerCase() !== "k" || !(apple ? e.metaKey && !e.ctrlKey : e.ctrlKey && !e.metaKey) || e.altKey || e.shiftKey) return;
    if (document.querySelector("dialog[open]:not(#palette)") || window.rollplay.embedded) return;
    e.preventDefault();
    report("palette", dialog("palette")?.open ? "close" : "open");
  });
  // The program chooses a little later, when the focus may be in the editor, which must not get the key.
  document.addEventListener("keydown", (e) => { if (e.key === "Enter" && around(e, "#palette-input") && !e.isComposing) e.preventDefault(); });
  document.addEventListener("keydown", moveTab);
  bindMenus();
  // When the key is up again: the prompt, or the editor, takes the focus, and must not get the letter.
  document.addEventListener("keyup", (e) => {
    const target = e.composedPath()[0];
    if (e.ctrlKey || !(target instanceof Element) || typing(target)) return;
    if (e.key === "`") toPrompt(e);
    if (e.key === "/" && !e.metaKey && !e.altKey && !document.querySelector("dialog[open]")) report("editor");
  });

  /**
   * toPrompt goes to the kubectl prompt: with Ctrl from anywhere, otherwise only while nobody types.
   * @param {KeyboardEvent} e
   */
  function toPrompt(e) {
    if (!e.metaKey && !e.altKey && !document.querySelector("dialog[open]")) report("terminal-focus");
  }
}

/**
 * closeMenus closes the menus after a press elsewhere, and by Escape, which gives the focus back.
 * @param {Node | null} [except] a node whose menu stays
 */
export function closeMenus(except = null) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu.contains(except)) continue;
    const inside = menu.contains(document.activeElement);
    menu.removeAttribute("open");
    if (inside && !except) menu.querySelector("summary")?.focus();
  }
}

function bindMenus() {
  document.addEventListener("pointerdown", ({ target }) => closeMenus(target instanceof Node ? target : null));
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && (e.target === document.body || around(e, "details.menu[open]"))) closeMenus();
  });
}

const presenting = () => "presenting" in document.documentElement.dataset;
/** @param {KeyboardEvent} e */
const action = (e) => (e.shiftKey && shifted[e.key]) || actions[e.key];

/** @param {Element} target */
function typing(target) {
  if (target.closest("textarea, select, [contenteditable=true]")) return true;
  const input = target.closest("input");
  return input !== null && input.type !== "range";
}

/**
 * own reports whether an element uses the key itself: space presses a button, arrows move a slider (except the scrubber, whose arrows
 * step) or cycle through tabs.
 * @param {Element} target
 * @param {string} key
 */
function own(target, key) {
  if (key === " ") return target.closest("button, summary, a") !== null;
  if (!/^(Arrow|Home|End)/.test(key)) return false;
  if (target.closest("[role=tab], [role=radio], [role=separator]")) return true;
  const input = target.closest("input");
  return input !== null && input.dataset.act !== "scrub";
}

/** @param {KeyboardEvent} e */
function moveTab(e) {
  const tab = around(e, "[role=tab], [role=radio]");
  if (!tab?.parentElement) return;
  /** @type {HTMLElement[]} */
  const tabs = [...tab.parentElement.querySelectorAll("[role=tab], [role=radio]")].filter((t) => t instanceof HTMLElement);
  const i = tabs.indexOf(tab);
  /** @type {Record<string, number>} */
  const keys = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: tabs.length - 1 };
  const to = keys[e.key];
  if (to === undefined) return;
  const next = tabs[(to + tabs.length) % tabs.length];
  next.focus();
  next.click();
  e.preventDefault();
}
