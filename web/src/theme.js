// @ts-check
// The theme is an attribute of <html>, and everything else follows from the style sheet.
const key = "rollplay/theme";
/** @type {(() => void)[]} */
const listeners = [];
const dark = matchMedia("(prefers-color-scheme: dark)");

// showTheme shows a theme that the person did not choose, and does not store it.
export { show as showTheme };

/** @param {string} theme */
function show(theme) {
  document.documentElement.dataset.theme = theme;
  change();
}

function change() {
  colors.clear();
  for (const listener of listeners) listener();
}

/** @param {string} theme */
export function setTheme(theme) {
  try { localStorage.setItem(key, theme); } catch { /* refused: for this visit only */ }
  show(theme);
}

/** @param {() => void} listener */
export function onThemeChange(listener) { listeners.push(listener); }

/**
 * color returns the present value of a CSS variable, as a colour that a canvas understands. It is remembered, because reading it makes
 * the browser compute the styles of the page.
 * @param {string} name
 */
export function color(name) {
  let value = colors.get(name);
  if (value === undefined) {
    probe.style.color = `var(${name})`;
    value = getComputedStyle(probe).color;
    colors.set(name, value);
  }
  return value;
}

/** @type {Map<string, string>} */
const colors = new Map();

const probe = document.createElement("span");
probe.hidden = true;
probe.style.forcedColorAdjust = "none"; // the chart keeps its colours where the system chooses those of texts
document.documentElement.append(probe);

dark.addEventListener("change", change);
matchMedia("(forced-colors: active)").addEventListener("change", () => colors.clear());

let stored = "";
try { stored = localStorage.getItem(key) ?? ""; } catch { /* refused */ }
show(["light", "dark"].includes(stored) ? stored : "system");
