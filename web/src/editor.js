// @ts-check
// The editor: CodeMirror 6 for YAML. It is in a shadow root, because only there does CodeMirror put its styles into
// adoptedStyleSheets, which the content security policy allows; in a document it would write a <style>.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { codeFolding, foldedRanges, foldEffect, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting, unfoldEffect } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics as showDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import { tags as t } from "@lezer/highlight";
import { soon } from "./dom.js";
import { explained, fieldNames } from "./fields.js";
import { onWords, say } from "./words.js";

/** @typedef {{ change: (text: string) => void, paste: (text: string) => void, apply: () => void }} Callbacks */

/** @type {EditorView} */
let view;
/** @type {Callbacks} */
let callbacks;
let timer = 0;
const pause = 180; // ms without typing before the text is checked

// fromProgram marks a text from the program, which does not need to be sent back.
/** @type {import("@codemirror/state").AnnotationType<boolean>} */
const fromProgram = Annotation.define();

/**
 * @param {HTMLElement} host
 * @param {string} text
 * @param {Callbacks} on
 */
export function mount(host, text, on) {
  callbacks = on;
  const root = host.attachShadow({ mode: "open" });
  view = new EditorView({ parent: root, root, state: EditorState.create({ doc: text, extensions: extensions() }) });
  arrange();
  new ResizeObserver(() => { if (host.offsetHeight && unseen) scrollToSpec(); }).observe(host);
}

// CodeMirror's phrases that this editor can show, by their messages.
const phrases = {
  "cm-find": "Find", "cm-replace-with": "Replace", "cm-next": "next", "cm-previous": "previous", "cm-all": "all", "cm-case": "match case",
  "cm-regexp": "regexp", "cm-word": "by word", "cm-replace": "replace", "cm-replace-all": "replace all", "cm-close": "close",
  "cm-match": "current match", "cm-on-line": "on line", "cm-replaced": "replaced $ matches", "cm-replaced-line": "replaced match on line $",
  "cm-goto": "Go to line", "cm-go": "go", "cm-problems": "Diagnostics", "cm-no-problems": "No diagnostics", "cm-completions": "Completions",
  "cm-deleted": "Selection deleted",
};

// worded is the part of the configuration that depends on the language.
const worded = () => [
  EditorState.phrases.of(Object.fromEntries(Object.entries(phrases).map(([key, phrase]) => [phrase, say(key)]))),
  EditorView.contentAttributes.of({ "aria-label": say("editor-label") }),
];
const inWords = new Compartment();

onWords(() => view?.dispatch({ effects: inWords.reconfigure(worded()) }));

// A long text is shown first, and read as YAML in a task of its own: both together take 50 ms.
const long = 64 << 10;
const inLanguage = new Compartment();
const longTextsFirst = EditorState.transactionExtender.of((tr) => {
  let inserted = 0;
  tr.changes.iterChanges((from, to, start, end) => { inserted += end - start; });
  if (inserted < long) return null;
  soon(() => view.dispatch({ effects: inLanguage.reconfigure(yaml()) }));
  return { effects: inLanguage.reconfigure([]) };
});

// hidden matches characters that engine/words calls hidden but that CodeMirror doesn't mark by itself: the page shows both.
const hidden = /[\u180e\u202a-\u202c\u2060-\u206f\u{e0000}-\u{e007f}]/gu;

function extensions() {
  return [
    lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars({ addSpecialChars: hidden }), history(), drawSelection(), indentOnInput(),
    indentUnit.of("  "), EditorState.tabSize.of(2), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
    search({ top: true }), EditorView.lineWrapping, lintGutter(), inLanguage.of(yaml()), longTextsFirst, autocompletion({ override: [fieldNames], icons: false }), explained,
    codeFolding({ placeholderText: "⋯" }), syntaxHighlighting(highlight), theme,
    keymap.of([
      { key: "Mod-Enter", preventDefault: true, run: apply },
      ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...lintKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ tabindex: "0", spellcheck: "false", autocapitalize: "off" }), inWords.of(worded()),
    EditorView.updateListener.of(changed),
  ];
}

/** @typedef {import("@codemirror/view").ViewUpdate} Update */

/**
 * pasted reports whether an update put a text into an empty editor: such a text runs at once.
 * @param {Update} update
 */
const pasted = (update) => update.startState.doc.toString().trim() === "" && update.transactions.some((tr) => tr.isUserEvent("input.paste"));

/** @param {Update} update */
function changed(update) {
  if (!update.docChanged || update.transactions.some((tr) => tr.annotation(fromProgram))) return;
  clearTimeout(timer);
  if (pasted(update)) callbacks.paste(getText());
  else timer = setTimeout(tell, pause);
}

function tell() {
  clearTimeout(timer);
  timer = 0;
  callbacks.change(getText());
}

// unsent is the last typing that is not reported yet.
export const unsent = () => (timer ? getText() : "");

// flush sends the last typing at once: a button must not act on an older text.
export function flush() { if (timer) tell(); }

function apply() {
  tell();
  callbacks.apply();
  return true;
}

export function focus() { view.focus(); }

export function getText() { return view.state.doc.toString(); }

/** @param {string} text */
export function setText(text) {
  clearTimeout(timer);
  if (text === getText()) return;
  replace(text);
  arrange();
}

/**
 * replace replaces the whole text. As an update of the view, CodeMirror would draw all lines of a text that is inserted into a hidden
 * editor: a second for 40,000 lines.
 * @param {string} text
 */
function replace(text) {
  view.setState(view.state.update({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    annotations: [fromProgram.of(true), isolateHistory.of("full")],
    selection: { anchor: 0 },
  }).state);
}

// People come to change the manifest. A text from the program opens there, with the scenario's own document folded.
let unseen = false; // nobody has looked at this text yet

function arrange() {
  const found = documents();
  if (found.scenario) view.dispatch({ effects: foldEffect.of(found.scenario) });
  unseen = true;
  if (view.dom.offsetHeight) scrollToSpec(found);
}

function scrollToSpec({ spec } = documents()) {
  unseen = false;
  if (spec) view.dispatch({ selection: { anchor: spec }, effects: EditorView.scrollIntoView(spec, { y: "start", yMargin: 60 }) });
}

// documents finds the part of the scenario's document to fold, and the start of the first workload's spec. A text without a scenario,
// or with nothing else, stays as it is.
function documents() {
  /** @type {{ scenario: { from: number, to: number } | null, spec: number }} */
  const found = { scenario: null, spec: 0 };
  let kind = "", spec = 0;
  let at = 0, last = 0; // the start of a line, and the end of the line before it
  let first = -1; // where the first line of the document ends
  const close = () => {
    if (kind === "Scenario" && last > first) found.scenario = { from: first, to: last };
    else if (/^(Deployment|StatefulSet|DaemonSet)$/.test(kind) && !found.spec) found.spec = spec;
  };
  for (const text of view.state.doc.iterLines()) {
    const end = at + text.length;
    if (text.startsWith("---")) {
      close();
      first = -1;
      kind = "";
      spec = 0;
    } else {
      if (first < 0) first = end;
      if (text.startsWith("kind:")) kind = text.slice(5).trim();
      else if (text.startsWith("spec:")) spec = at;
    }
    last = end;
    at = end + 1;
  }
  close();
  if (!found.spec) found.scenario = null;
  return found;
}

/**
 * unfold shows a place that is folded away.
 * @param {number} at
 */
function unfold(at) {
  /** @type {import("@codemirror/state").StateEffect<unknown>[]} */
  const effects = [];
  foldedRanges(view.state).between(at, at, (from, to) => { effects.push(unfoldEffect.of({ from, to })); });
  return effects;
}

/**
 * @param {number} line
 * @param {number} column
 */
export function gotoLine(line, column) {
  const at = offset(line, column);
  view.dispatch({ selection: { anchor: at }, effects: [...unfold(at), EditorView.scrollIntoView(at, { y: "center" })] });
  unseen = false;
  view.focus();
}

/**
 * @param {number} line
 * @param {number} column
 */
function offset(line, column) {
  const doc = view.state.doc;
  const l = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(l.from + Math.max(column - 1, 0), l.to);
}

/** @param {import("./go").Diagnostic[]} list */
export function setDiagnostics(list) {
  /** @type {import("@codemirror/lint").Diagnostic[]} */
  const diagnostics = list.map((d) => {
    const from = offset(d.line, d.column);
    const to = Math.max(from, offset(d.line, d.endColumn));
    const message = d.field ? `${d.field}: ${d.message}` : d.message;
    return { from, to, severity: d.warning ? "warning" : "error", message };
  });
  view.dispatch(showDiagnostics(view.state, diagnostics));
}

const highlight = HighlightStyle.define([
  { tag: [t.propertyName, t.definition(t.propertyName)], color: "var(--syn-key)" },
  { tag: [t.string, t.special(t.string)], color: "var(--syn-string)" },
  { tag: [t.number, t.bool, t.null], color: "var(--syn-number)" },
  { tag: [t.lineComment, t.comment], color: "var(--syn-comment)", fontStyle: "italic" },
  { tag: [t.punctuation, t.separator, t.squareBracket, t.brace, t.meta], color: "var(--syn-punctuation)" },
  { tag: [t.keyword, t.typeName, t.labelName], color: "var(--syn-number)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--text)", backgroundColor: "var(--card)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px", overflow: "auto" },
  "@media (max-width: 720px)": { ".cm-content": { fontSize: "16px" } }, // a phone zooms into smaller texts
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 4px", minWidth: "24px" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "3px 1px" },
  ".cm-activeLine": { backgroundColor: "var(--active-line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--active-line)", color: "var(--muted)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-selectionMatch": { backgroundColor: "var(--selection-match)" },
  ".cm-foldPlaceholder": { padding: "0 8px", border: "1px solid var(--border)", backgroundColor: "var(--hover)", color: "var(--muted)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--border)", borderRadius: "6px",
    boxShadow: "var(--shadow)", overflow: "hidden", maxWidth: "min(90vw, 480px)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14em" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: ".75" },
  ".cm-diagnostic": { padding: "6px 10px", fontFamily: "var(--mono)", fontSize: "12px", userSelect: "text" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", borderColor: "var(--border)" },
  ".cm-panel input, .cm-panel button": { fontSize: "12px", font: "inherit" },
  ".cm-textfield": { backgroundColor: "var(--card)", border: "1px solid var(--border)", borderRadius: "4px" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--card)", border: "1px solid var(--border)", borderRadius: "4px" },
});
