// The theme is an attribute of <html>, and everything else follows from the style sheet.
const key = "rollplay/theme";
const listeners = [];
const dark = matchMedia("(prefers-color-scheme: dark)");

// showTheme is for a theme that is not the person's choice.
export { show as showTheme };

function show(theme) {
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

export function setTheme(theme) {
  try { localStorage.setItem(key, theme); } catch { /* refused: for this visit only */ }
  show(theme);
}

export function onThemeChange(listener) { listeners.push(listener); }

// color gives the value that a CSS variable has now, as a colour that a canvas understands.
export function color(name) {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

const probe = document.createElement("span");
probe.hidden = true;
probe.style.forcedColorAdjust = "none"; // the chart keeps its colours where the system chooses those of texts
document.documentElement.append(probe);

dark.addEventListener("change", () => { for (const listener of listeners) listener(); });

let stored = "";
try { stored = localStorage.getItem(key) ?? ""; } catch { /* refused */ }
show(["light", "dark"].includes(stored) ? stored : "system");
