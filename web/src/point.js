// @ts-check
// Marks on the page what a caption names: lines in the legend, bounds on the chart, pods. The words are those of the captions in
// both languages. A style sheet of its own also marks elements that are drawn later.
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

/** @type {[RegExp, string][]} */
const words = [
  [/\btotal\b|总数|共有? \d/i, '.legend-item[data-series="total"]'],
  [/\bavailable\b|可用/i, '.legend-item[data-series="available"]'],
  [/\bdesired\b|期望/i, ".legend-item:has(.sw-desired)"],
  [/\bterminating\b|正在终止/i, '.legend-item[data-series="terminating"]'],
  [/maxSurge|at most|最多/i, ".note-upper"],
  [/maxUnavailable|at least|至少/i, ".note-lower"],
];
const names = /\b[a-z][a-z0-9]*(?:-[a-z0-9]+)+\b/g; // db-2, node-1, agent-zzk4b

/**
 * point marks what a text names, and removes earlier marks.
 * @param {string} text
 */
export function point(text) {
  const found = words.filter(([word]) => word.test(text)).map(([, where]) => where);
  for (const name of text.match(names) ?? []) found.push(`[data-key$="/${name}"]`);
  sheet.replaceSync(found.length ? `${found.join()} { background-color: var(--pointed) !important; box-shadow: 0 0 0 var(--around, 3px) var(--pointed); border-radius: 3px; }` : "");
}
