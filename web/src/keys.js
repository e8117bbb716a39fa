// The keys of the page. Nothing is taken from somebody who types, or from a control that has the key for itself.
const actions = {
  " ": "toggle",
  ArrowLeft: "step-prev",
  ArrowRight: "step-next",
  Home: "start",
  End: "end",
  ",": "prev-second",
  ".": "next-second",
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

// What Shift makes of a key; the other keys mean the same with it, since a layout may need it to reach them.
const shifted = { ArrowLeft: "prev-moment", ArrowRight: "next-moment" };

const apple = /^(Mac|iP)/.test(navigator.platform); // where Ctrl-K deletes to the end of a line

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
    if (e.key === "?") document.getElementById("help")?.showModal();
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
    report("palette", document.getElementById("palette")?.open ? "close" : "open");
  });
  // The program chooses a little later, when the focus may be in the editor: it is not to get the key.
  document.addEventListener("keydown", (e) => { if (e.key === "Enter" && e.target.id === "palette-input" && !e.isComposing) e.preventDefault(); });
  document.addEventListener("keydown", moveTab);
  bindMenus();
  // When the key is up again: the prompt, or the editor, takes the focus, and is not to get the letter.
  document.addEventListener("keyup", (e) => {
    const target = e.composedPath()[0];
    if (e.ctrlKey || !(target instanceof Element) || typing(target)) return;
    if (e.key === "`") toPrompt(e);
    if (e.key === "/" && !e.metaKey && !e.altKey && !document.querySelector("dialog[open]")) report("editor");
  });

  // toPrompt goes to the kubectl prompt: with Ctrl from anywhere, otherwise from where nobody types.
  function toPrompt(e) {
    if (!e.metaKey && !e.altKey && !document.querySelector("dialog[open]")) report("terminal-focus");
  }
}

// Menus close when somebody presses elsewhere, and by Escape, which gives the focus back.
export function closeMenus(except = null) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu.contains(except)) continue;
    const inside = menu.contains(document.activeElement);
    menu.open = false;
    if (inside && !except) menu.querySelector("summary").focus();
  }
}

function bindMenus() {
  document.addEventListener("pointerdown", (e) => closeMenus(e.target));
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && (e.target === document.body || e.target.closest?.("details.menu[open]"))) closeMenus();
  });
}

const presenting = () => "presenting" in document.documentElement.dataset;
const action = (e) => (e.shiftKey && shifted[e.key]) || actions[e.key];

function typing(target) {
  if (target.closest("textarea, select, [contenteditable=true]")) return true;
  const input = target.closest("input");
  return input !== null && input.type !== "range";
}

// own says that the key means something to the element itself: space presses a button, arrows move a slider (the
// scrubber apart, whose arrows step) or go round among tabs.
function own(target, key) {
  if (key === " ") return target.closest("button, summary, a") !== null;
  if (!/^(Arrow|Home|End)/.test(key)) return false;
  if (target.closest("[role=tab], [role=radio], [role=separator]")) return true;
  const input = target.closest("input");
  return input !== null && input.dataset.act !== "scrub";
}

function moveTab(e) {
  const tab = e.target instanceof Element && e.target.closest("[role=tab], [role=radio]");
  if (!tab) return;
  const tabs = [...tab.parentElement.querySelectorAll("[role=tab], [role=radio]")];
  const i = tabs.indexOf(tab);
  const to = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: tabs.length - 1 }[e.key];
  if (to === undefined) return;
  const next = tabs[(to + tabs.length) % tabs.length];
  next.focus();
  next.click();
  e.preventDefault();
}
