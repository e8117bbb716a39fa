// The kubectl prompt: the output, and a line to type. The program provides the output at the cursor and the completions of a
// line; the history comes with every command.
import { element, soon } from "./dom.js";
import { onWords, say } from "./words.js";

let host = null;
let output, input, sign, stop, offers;
let named = []; // [element, the attribute that is a word, "" for its text, the key of the message]
let report = () => {};
let ask = () => "";

// The last output; it stays while the tab is closed.
const shown = { lines: [], prompt: { running: "", waiting: 0, history: [] } };

const linesMax = 2000; // in the page; real terminals drop old lines, too
const classes = { c: "command", o: "output", e: "error", n: "note" };

let drawn = 0; // lines that are drawn or were left out
let above = 0; // those left out
let place = 0; // in the history: how many lines back
let draft = ""; // what was typed before going back
let tabs = 0; // how often Tab was pressed for what stands there
let leaving = false; // Escape was pressed: the next Tab leads out
let shift = false; // is held
let wanted = false; // focus the prompt as soon as it exists
let sent = false; // a line is on its way to the program, which may be running it
let held = null; // what was typed while a completion waits for the program, in its order; null while none waits

// button has a text that is the key of a message, or is the same in every language, and a title by its key.
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

export function mountTerminal(root, reporter, asker) {
  host = root;
  named = [];
  held = null;
  report = reporter;
  ask = asker;
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
  for (const [text, title, key] of [["Tab", "terminal-tab", () => inOrder(complete)], ["↑", "terminal-up", () => recall(1)]]) {
    button("", text, title, tools, () => { key(); input.focus(); }).classList.add("touch");
  }
  button("terminal-copy", "copy", "copy-means", tools, copy);
  button("terminal-clear", "terminal-clear", "clear-means", tools, () => report("terminal-clear"));
  offers = element("p", "terminal-offers", host);
  offers.setAttribute("aria-live", "polite");
  writeWords();
  redraw();
  prompt();
  if (wanted) focusTerminal();
}

// terminal takes the output: it keeps the first lines and replaces the rest. The prompt is null if it has not changed.
export function terminal(keep, text, promptText) {
  const before = shown.lines.length;
  shown.lines.length = keep;
  if (text !== "") for (const line of text.split("\n")) shown.lines.push(line);
  if (promptText !== null) {
    shown.prompt = { ...JSON.parse(promptText) };
    sent = false;
  }
  shown.prompt.history ??= [];
  if (!host?.isConnected) return;
  if (keep < before) cut(keep);
  draw();
  if (promptText !== null) prompt();
}

export function focusTerminal() {
  wanted = !host?.isConnected;
  if (wanted) return;
  input.focus();
  host.scrollIntoView({ block: "nearest" });
}

function redraw() {
  output.replaceChildren();
  drawn = above = 0;
  draw();
}

// cut takes lines away that are not there any more. If only lines that were left out remain, all is drawn again.
function cut(keep) {
  if (keep <= above) {
    redraw();
    return;
  }
  while (output.childElementCount > keep - above + (above > 0 ? 1 : 0)) output.lastElementChild.remove();
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
  if (had) output.firstElementChild.remove();
  while (output.childElementCount > linesMax) output.firstElementChild.remove();
  above = most;
  output.prepend(row(`n\t${say("terminal-above", above)}`));
}

// row is a line: its text alone, so that it can be selected and copied.
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
  host.dataset.state = running ? "running" : "free";
  sign.textContent = running ? "…" : "$";
  stop.hidden = !running;
  const key = waiting === 0 ? "prompt-runs" : waiting === 1 ? "one-line-waits" : "n-lines-wait";
  input.placeholder = running ? say(key, running.split(/\s+/).slice(1, 3).join(" "), waiting) : "get rs -w";
}

function onOutputClick(e) {
  if (e.pointerType === "mouse" && getSelection().isCollapsed) input.focus({ preventScroll: true });
}

function onInput() {
  place = tabs = 0;
  leaving = false;
  offer([]);
  fit();
}

// fit makes the field as high as its lines are.
function fit() { input.rows = Math.min(8, input.value.split("\n").length); }

function setLine(text, at = text.length) {
  input.value = text;
  input.setSelectionRange(at, at);
  fit();
}

function run(text) {
  place = tabs = 0;
  setLine("");
  offer([]);
  if (text.trim() === "") return;
  output.scrollTop = output.scrollHeight;
  sent = true;
  report("terminal", text);
}

function onPaste(e) {
  const text = e.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n");
  const runs = text.trimEnd().includes("\n") || text.endsWith("\n");
  if (!runs && !held) return;
  e.preventDefault();
  inOrder(() => (runs ? run(input.value.slice(0, input.selectionStart) + text + input.value.slice(input.selectionEnd)) : type(text)));
}

// unfinished says whether a command continues on the next line: it ends with a backslash, or its here-document has no end.
function unfinished(text) {
  if (/(^|[^\\])\\$/.test(text)) return true;
  const word = text.match(/<<-?\s*(['"]?)([^\s'"|;&<>()]+)\1/)?.[2];
  return word !== undefined && !text.split("\n").slice(1).some((line) => line.trim() === word);
}

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

// onEdit runs the line on Enter, also that of a phone's keyboard, unless the line continues or Shift is held. Letters wait behind a
// completion, so that they follow it.
function onEdit(e) {
  const enters = e.inputType === "insertLineBreak";
  const newLine = shift;
  const continues = () => newLine || unfinished(input.value);
  if (enters ? !held && continues() : !held || e.inputType !== "insertText") return;
  e.preventDefault();
  inOrder(() => (!enters ? type(e.data) : continues() ? type("\n") : run(input.value)));
}

function type(text) {
  input.setRangeText(text, input.selectionStart, input.selectionEnd, "end");
  onInput();
}

// inOrder does something now, or after the completion that waits for the program.
function inOrder(act) {
  if (!held) return act();
  held.push(act);
}

// release ends the waiting, and does what was typed meanwhile.
function release() {
  const typed = held ?? [];
  held = null;
  for (const act of typed) inOrder(act);
}

// What the keys do; false leaves a key to the browser.
const keys = {
  Tab: () => (leaving || input.value === "" ? false : complete()),
  ArrowUp: () => (input.value.slice(0, input.selectionStart).includes("\n") ? false : recall(1)),
  ArrowDown: () => (input.value.slice(input.selectionEnd).includes("\n") ? false : recall(-1)),
  "Control+c": interrupt,
  "Control+l": () => report("terminal-clear"),
};

// interrupt is Ctrl-C, which copies if something is selected.
function interrupt() {
  if (input.selectionStart !== input.selectionEnd || !getSelection().isCollapsed) return false;
  if (sent || shown.prompt.running || shown.prompt.waiting) report("terminal-stop");
  setLine("");
  onInput();
  return true;
}

// recall goes back or forth in the history.
function recall(step) {
  const { history } = shown.prompt;
  const to = Math.min(Math.max(place + step, 0), history.length);
  if (place === 0) draft = input.value;
  if (to !== place) setLine(to === 0 ? draft : history[history.length - to]);
  place = to;
}

// answered calls back with the answer of the program, which is null while it is at work: then it is asked again, in a task of its own.
function answered(what, value, done, waits = () => true) {
  if (!waits()) return;
  const answer = ask(what, value);
  if (answer === null) soon(() => answered(what, value, done, waits));
  else done(answer);
}

// complete asks for completions of what is before the cursor. What is typed until the answer comes waits, as in a shell.
function complete() {
  const at = input.selectionEnd;
  const before = input.value.slice(0, at);
  const waiting = held = [];
  answered("complete", before, (answer) => {
    if (answer && input.value.startsWith(before)) take(JSON.parse(answer), at);
    release();
  }, () => held === waiting);
}

// take takes a single word, or the common start of several; pressed again, it lists them.
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

// finished adds a space after a complete word; a word that ends with a sign continues.
const finished = (word) => (/[=/]$/.test(word) ? word : `${word} `);

function shared(a, b) {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return a.slice(0, n);
}

function offer(words) { offers.textContent = words.join("  "); }

// copy takes the whole output, also the part that is not drawn. Without access to the clipboard it selects the visible part.
function copy(e) {
  const told = e.currentTarget;
  answered("transcript", "", (text) => navigator.clipboard.writeText(text).then(
    () => { told.textContent = say("copy-done"); },
    () => getSelection().selectAllChildren(output),
  ));
  told.addEventListener("blur", () => { told.textContent = say("copy"); }, { once: true });
  told.addEventListener("pointerleave", () => { told.textContent = say("copy"); }, { once: true });
}
