// @ts-check
// Runs before the page is drawn, and chooses the placeholder of the figure until the program runs: a picture of the first scenario, in
// the reader's language and theme, if the program will show that scenario, otherwise an empty frame. The build writes it in the JavaScript
// of 2016, so that it can tell an older browser that it is too old.
(() => {
  "use strict";
  const root = document.documentElement;
  /** @param {string} key */
  const read = (key) => {
    try { return localStorage.getItem(key) ?? ""; } catch { return ""; }
  };
  const stored = read("rollplay/theme");
  const theme = ["light", "dark"].includes(stored) ? stored : "system"; // as web/src/theme.js
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const link = /^#s=first-rollout(?:&lang=(en|zh))?$/.exec(location.hash);
  const lang = link?.[1] || read("rollplay/lang") || navigator.language;
  root.dataset.theme = theme;
  root.lang = /^zh\b/i.test(lang) ? "zh" : "en";
  // Without these colours and selectors the page would be there, but could not be read. README.md names the versions that have them.
  const old = !window.CSS || !CSS.supports("color: light-dark(red, red)") || !CSS.supports("selector(:has(a))");
  if (old) root.dataset.old = ""; // boot.js does not start
  const holdsRun = () => {
    try { return Object.keys(localStorage).some((key) => /^rollplay\/(session$|draft\/)/.test(key)); } catch { return false; }
  };
  // A script that was not loaded is named. If it is boot.js, nobody else says anything.
  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement) root.dataset.lost ??= target.src.replace(/.*\//, "");
  }, true);
  document.addEventListener("DOMContentLoaded", () => {
    const loader = document.getElementById("loader");
    if (!loader || window.rollplayTexts) return;
    const words = JSON.parse(loader.dataset.words ?? "{}")[root.lang];
    /** @type {Record<string, string>} */
    const said = { "loader-title": words.failed, "app-wasm-loader-label": words["failed-why"].replace("%s", `${words.missing}: ${root.dataset.lost ?? ""}`) };
    if (old) Object.assign(said, { "loader-title": words.cannot, "app-wasm-loader-label": words.old });
    for (const [id, text] of Object.entries(said)) Object.assign(document.getElementById(id) ?? {}, { textContent: text });
    loader.dataset.state = "failed";
    if (old) {
      document.getElementById("loader-bar")?.remove();
      return;
    }
    const again = Object.assign(document.createElement("button"), { id: "loader-again", type: "button", className: "button", textContent: words.again });
    again.addEventListener("click", () => location.reload());
    document.getElementById("app-wasm-loader-label")?.after(again);
  });
  if (!link && (!/^#?$/.test(location.hash) || holdsRun())) return;
  const chosen = root.dataset.poster = `${root.lang}-${dark ? "dark" : "light"}`;
  // Of the pictures in the page only this one gets its source, as soon as the browser has read it: each costs a phone 50 ms.
  const pictures = new MutationObserver(() => {
    const picture = /** @type {HTMLImageElement | null} */ (document.querySelector(`img.arrive-${chosen}`));
    if (!picture) return;
    picture.src = picture.dataset.src ?? "";
    pictures.disconnect();
  });
  pictures.observe(root, { childList: true, subtree: true });
})();
