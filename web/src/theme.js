// The theme is an attribute of <html>, and everything else follows from the style sheet.
const key = "rollplay/theme";
const listeners = [];
const dark = matchMedia("(prefers-color-scheme: dark)");

// showTheme is for a theme that is not the person's choice.
export { show as showTheme };

function show(theme) {
  document.documentElement.dataset.theme = theme;
  change();
}

function change() {
  colors.clear();
  for (const listener of listeners) listener();
}

export function setTheme(theme) {
  try { localStorage.setItem(key, theme); } catch { /* refused: for this visit only */ }
  show(theme);
}

export function onThemeChange(listener) { listeners.push(listener); }

// color gives the value that a CSS variable has now, as a colour that a canvas understands. To ask the browser makes it compute the
// styles of the page.
export function color(name) {
  if (!colors.has(name)) {
    probe.style.color = `var(${name})`;
    colors.set(name, getComputedStyle(probe).color);
  }
  return colors.get(name);
}

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
