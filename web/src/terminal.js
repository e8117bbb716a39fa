// @ts-check
// The kubectl prompt: the output, and a line to type. The program provides the output at the cursor and the completions of a
// line; the history comes with every command.
import { element, read, soon } from "./dom.js";
import { onWords, say } from "./words.js";

/** @typedef {import("./go").PromptState} Prompt */
/** @typedef {{ kept: string, candidates: string[] | null }} Completions what stays of the line, and the words that may follow */

/** @type {HTMLElement | null} */
let host = null;
/** @type {HTMLElement} */
let output;
/** @type {HTMLTextAreaElement} */
let input;
/** @type {HTMLElement} */
let sign;
/** @type {HTMLElement} */
let stop;
/** @type {HTMLElement} */
let offers;
/** @type {[element: HTMLElement, attribute: string, key: string][]} */
let named = []; // elements with a word: in an attribute, or in their text if that is empty; and the key of its message
/** @type {import("./page").Report} */
let report = () => {};
/** @type {import("./page").Query} */
let query = () => "";

// The last output; it stays while the tab is closed.
/** @type {{ lines: string[], prompt: Prompt & { history: string[] } }} */
const shown = { lines: [], prompt: { running: "", waiting: 0, history: [] } };

const linesMax = 2000; // in the page; real terminals drop old lines, too
/** @type {Record<string, string>} */
const classes = { c: "command", o: "output", e: "error", n: "note" };

let drawn = 0; // lines that are drawn or were left out
let above = 0; // those left out
let place = 0; // in the history: how many lines back
let draft = ""; // what was typed before going back
let tabs = 0; // how often Tab was pressed for this text
let leaving = false; // Escape was pressed: the next Tab leads out
let shift = false; // is held
let wanted = false; // focus the prompt as soon as it exists
let sent = false; // a line is on its way to the program, which may be running it
/** @typedef {() => unknown} Act */
/** @type {Act[] | null} */
let held = null; // the typing while a completion waits for the program, in its order; null while no completion waits

/**
 * button makes a button. Its text is the key of a message, or is the same in every language; its title is a key.
 * @param {string} act
 * @param {string} text
 * @param {string} title
 * @param {HTMLElement} parent
 * @param {(e: MouseEvent) => void} onClick
 */
function button(act, text, title, parent, onClick) {
  const b = element("button", "button", parent, act);
  b.type = "button";
  b.textContent = text;
  if (act) named.push([b, "", text]);
  named.push([b, "title", title]);
  b.addEventListener("click", onClick);
  return b;
}

function writeWords() {
  for (const [element, attribute, key] of named) {
    if (attribute) element.setAttribute(attribute, say(key));
    else element.textContent = say(key);
  }
}

onWords(() => {
  if (!host?.isConnected) return;
  writeWords();
  redraw();
  prompt();
});

/**
 * @param {HTMLElement} root
 * @param {import("./page").Report} reporter
 * @param {import("./page").Query} answer
 */
export function mountTerminal(root, reporter, answer) {
  host = root;
  named = [];
  held = null;
  report = reporter;
  query = answer;
  output = element("div", "terminal-output", host, "terminal-output");
  output.tabIndex = 0;
  output.setAttribute("role", "log");
  output.setAttribute("aria-live", "polite");
  named.push([output, "aria-label", "terminal-output"]);
  output.addEventListener("click", onOutputClick);
  const line = element("div", "terminal-line", host);
  sign = element("span", "terminal-sign", line);
  sign.setAttribute("aria-hidden", "true");
  input = element("textarea", "terminal-input", line, "terminal-input");
  input.rows = 1;
  input.spellcheck = false;
  named.push([input, "aria-label", "terminal-input"]);
  input.setAttribute("autocapitalize", "off");
  input.setAttribute("autocomplete", "off");
  input.addEventListener("keydown", onKey);
  input.addEventListener("beforeinput", onEdit);
  input.addEventListener("input", onInput);
  input.addEventListener("paste", onPaste);
  const tools = element("div", "terminal-tools", line);
  stop = button("terminal-stop", "terminal-stop", "stop-means", tools, () => report("terminal-stop"));
  /** @type {(text: string, title: string, key: Act) => void} */
  const touch = (text, title, key) => button("", text, title, tools, () => { key(); input.focus(); }).classList.add("touch");
  touch("Tab", "terminal-tab", () => inOrder(complete));
  touch("↑", "terminal-up", () => recall(1));
  button("terminal-copy", "copy", "copy-means", tools, copy);
  button("terminal-clear", "terminal-clear", "clear-means", tools, () => report("terminal-clear"));
  offers = element("p", "terminal-offers", host);
  offers.setAttribute("aria-live", "polite");
  writeWords();
  redraw();
  prompt();
  if (wanted) focusTerminal();
}

/**
 * terminal takes the output: it keeps the first lines and replaces the rest. The prompt is null if it has not changed.
 * @param {number} keep
 * @param {string} text
 * @param {string | null} promptText
 */
export function terminal(keep, text, promptText) {
  const before = shown.lines.length;
  shown.lines.length = keep;
  if (text !== "") for (const line of text.split("\n")) shown.lines.push(line);
  if (promptText !== null) {
    const now = read(/** @type {import("./go").Json<Prompt>} */ (promptText));
    shown.prompt = { ...now, history: now.history ?? [] };
    sent = false;
  }
  if (!host?.isConnected) return;
  if (keep < before) cut(keep);
  draw();
  if (promptText !== null) prompt();
}

export function focusTerminal() {
  wanted = !host?.isConnected;
  if (wanted || !host) return;
  input.focus();
  host.scrollIntoView({ block: "nearest" });
}

function redraw() {
  output.replaceChildren();
  drawn = above = 0;
  draw();
}

/**
 * cut removes the lines after the kept lines. If only lines that were left out remain, it draws everything again.
 * @param {number} keep
 */
function cut(keep) {
  if (keep <= above) {
    redraw();
    return;
  }
  while (output.childElementCount > keep - above + (above > 0 ? 1 : 0)) output.lastElementChild?.remove();
  drawn = keep;
}

// draw adds the lines that are new, at the bottom, and stays there unless somebody reads further up.
function draw() {
  if (drawn === shown.lines.length) return;
  const bottom = output.scrollHeight - output.scrollTop - output.clientHeight < 30;
  const from = Math.max(drawn, shown.lines.length - linesMax);
  const fresh = document.createDocumentFragment();
  for (let i = from; i < shown.lines.length; i++) fresh.append(row(shown.lines[i]));
  output.append(fresh);
  drawn = shown.lines.length;
  trim();
  if (bottom) output.scrollTop = output.scrollHeight;
}

// trim keeps the page small.
function trim() {
  const most = Math.max(0, shown.lines.length - linesMax);
  if (most === above) return;
  const had = above > 0;
  if (had) output.firstElementChild?.remove();
  while (output.childElementCount > linesMax) output.firstElementChild?.remove();
  above = most;
  output.prepend(row(`n\t${say("terminal-above", above)}`));
}

/**
 * row is a line: its text alone, so that it can be selected and copied.
 * @param {string} line
 */
function row(line) {
  const tab = line.indexOf("\t");
  const div = document.createElement("div");
  div.className = `terminal-row ${classes[line[0]]}`;
  if (tab > 1) div.dataset.time = line.slice(1, tab);
  div.textContent = line.slice(tab + 1) || "\n"; // an empty line has the height of a line
  return div;
}

// prompt shows whether the line is free.
function prompt() {
  const { running, waiting } = shown.prompt;
  if (host) host.dataset.state = running ? "running" : "free";
  sign.textContent = running ? "…" : "$";
  stop.hidden = !running;
  const key = waiting === 0 ? "prompt-runs" : waiting === 1 ? "one-line-waits" : "n-lines-wait";
  input.placeholder = running ? say(key, running.split(/\s+/).slice(1, 3).join(" "), waiting) : "get rs -w";
}

/** @param {MouseEvent} e */
function onOutputClick(e) {
  if (e instanceof PointerEvent && e.pointerType === "mouse" && getSelection()?.isCollapsed) input.focus({ preventScroll: true });
}

function onInput() {
  place = tabs = 0;
  leaving = false;
  offer([]);
  fit();
}

// fit makes the field as high as its lines.
function fit() { input.rows = Math.min(8, input.value.split("\n").length); }

/**
 * @param {string} text
 * @param {number} [at] the place of the caret
 */
function setLine(text, at = text.length) {
  input.value = text;
  input.setSelectionRange(at, at);
  fit();
}

/** @param {string} text */
function run(text) {
  place = tabs = 0;
  setLine("");
  offer([]);
  if (text.trim() === "") return;
  output.scrollTop = output.scrollHeight;
  sent = true;
  report("terminal", text);
}

/** @param {ClipboardEvent} e */
function onPaste(e) {
  const text = e.clipboardData?.getData("text/plain").replace(/\r\n?/g, "\n") ?? "";
  const runs = text.trimEnd().includes("\n") || text.endsWith("\n");
  if (!runs && !held) return;
  e.preventDefault();
  inOrder(() => (runs ? run(input.value.slice(0, input.selectionStart) + text + input.value.slice(input.selectionEnd)) : type(text)));
}

/**
 * unfinished reports whether a command continues on the next line: it ends with a backslash, or its here-document has no end.
 * @param {string} text
 */
function unfinished(text) {
  if (/(^|[^\\])\\$/.test(text)) return true;
  const word = text.match(/<<-?\s*(['"]?)([^\s'"|;&<>()]+)\1/)?.[2];
  return word !== undefined && !text.split("\n").slice(1).some((line) => line.trim() === word);
}

/** @param {KeyboardEvent} e */
function onKey(e) {
  if (e.isComposing || e.altKey || e.metaKey) return;
  if (e.key === "Escape") {
    leaving = true;
    offer([]);
    release();
    return;
  }
  shift = e.shiftKey;
  const modifier = e.ctrlKey ? "Control+" : e.shiftKey ? "Shift+" : "";
  const act = keys[modifier + e.key];
  if (act && inOrder(act) !== false) e.preventDefault();
  if (e.key !== "Tab") leaving = false;
}

/**
 * onEdit runs the line on Enter, also on a phone's keyboard, unless the line continues or Shift is held. Letters wait behind a
 * completion, so that they follow it.
 * @param {InputEvent} e
 */
function onEdit(e) {
  const enters = e.inputType === "insertLineBreak";
  const newLine = shift;
  const continues = () => newLine || unfinished(input.value);
  if (enters ? !held && continues() : !held || e.inputType !== "insertText") return;
  e.preventDefault();
  inOrder(() => (!enters ? type(e.data ?? "") : continues() ? type("\n") : run(input.value)));
}

/** @param {string} text */
function type(text) {
  input.setRangeText(text, input.selectionStart, input.selectionEnd, "end");
  onInput();
}

/**
 * inOrder does something now, or after the completion that waits for the program.
 * @param {Act} act
 */
function inOrder(act) {
  return held ? void held.push(act) : act();
}

// release ends the waiting, and carries out the typing since then.
function release() {
  const typed = held ?? [];
  held = null;
  for (const act of typed) inOrder(act);
}

// The actions of the keys; false leaves a key to the browser.
/** @type {Record<string, Act>} */
const keys = {
  Tab: () => (leaving || input.value === "" ? false : complete()),
  ArrowUp: () => (input.value.slice(0, input.selectionStart).includes("\n") ? false : recall(1)),
  ArrowDown: () => (input.value.slice(input.selectionEnd).includes("\n") ? false : recall(-1)),
  "Control+c": interrupt,
  "Control+l": () => report("terminal-clear"),
};

// interrupt is Ctrl-C, which copies if something is selected.
function interrupt() {
  if (input.selectionStart !== input.selectionEnd || !getSelection()?.isCollapsed) return false;
  if (sent || shown.prompt.running || shown.prompt.waiting) report("terminal-stop");
  setLine("");
  onInput();
  return true;
}

/**
 * recall goes back or forth in the history.
 * @param {number} step
 */
function recall(step) {
  const { history } = shown.prompt;
  const to = Math.min(Math.max(place + step, 0), history.length);
  if (place === 0) draft = input.value;
  if (to !== place) setLine(to === 0 ? draft : history[history.length - to]);
  place = to;
}

/**
 * answered calls back with the answer of the program. The answer is null while the program is at work: then it tries again, in a task of
 * its own.
 * @param {string} what
 * @param {string} value
 * @param {(answer: string) => void} done
 * @param {() => boolean} [waits]
 */
function answered(what, value, done, waits = () => true) {
  if (!waits()) return;
  const answer = query(what, value);
  if (answer === null) soon(() => answered(what, value, done, waits));
  else done(answer);
}

// complete requests completions of the text before the caret. Typing waits until the answer comes, as in a shell.
function complete() {
  const at = input.selectionEnd;
  const before = input.value.slice(0, at);
  /** @type {Act[]} */
  const waiting = [];
  held = waiting;
  answered("complete", before, (answer) => {
    if (answer && input.value.startsWith(before)) take(JSON.parse(answer), at);
    release();
  }, () => held === waiting);
}

/**
 * take inserts a single word, or the common start of several words; pressed again, it lists them.
 * @param {Completions} completions
 * @param {number} at
 */
function take({ kept, candidates }, at) {
  if (!candidates?.length) return;
  const common = candidates.length === 1 ? finished(candidates[0]) : candidates.reduce(shared);
  const line = kept + common;
  if (line.length > at) {
    setLine(line + input.value.slice(at), line.length);
    tabs = 0;
    offer([]);
  } else if (++tabs > 0) {
    offer(candidates);
  }
}

/**
 * finished adds a space after a complete word; a word that ends with a sign continues.
 * @param {string} word
 */
const finished = (word) => (/[=/]$/.test(word) ? word : `${word} `);

/**
 * shared is the common start of two words.
 * @param {string} a
 * @param {string} b
 */
function shared(a, b) {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return a.slice(0, n);
}

/** @param {string[]} words */
function offer(words) { offers.textContent = words.join("  "); }

/**
 * copy takes the whole output, also the part that is not drawn. Without access to the clipboard it selects the visible part.
 * @param {MouseEvent} e
 */
function copy(e) {
  const told = /** @type {HTMLElement} */ (e.currentTarget);
  answered("transcript", "", (text) => navigator.clipboard.writeText(text).then(
    () => { told.textContent = say("copy-done"); },
    () => getSelection()?.selectAllChildren(output),
  ));
  told.addEventListener("blur", () => { told.textContent = say("copy"); }, { once: true });
  told.addEventListener("pointerleave", () => { told.textContent = say("copy"); }, { once: true });
}
