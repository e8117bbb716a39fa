// @ts-check
// Runs before the page is drawn, and chooses what stands there until the program runs: the page of a first visit, in the reader's language,
// if the program will show that, otherwise an empty frame. The build writes it in the JavaScript of 2016, so that it can tell an older
// browser that it is too old.
(() => {
  "use strict";
  const root = document.documentElement;
  /** @param {string} key */
  const read = (key) => {
    try { return localStorage.getItem(key) ?? ""; } catch { return ""; }
  };
  const stored = read("rollplay/theme");
  const theme = ["light", "dark"].includes(stored) ? stored : "system"; // as web/src/theme.js
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
  root.dataset.first = link ? "link" : "visit";
  // What draws the page is asked for at once, and the page of one language takes the place of its template, as soon as the browser has read it.
  const { first = "", [root.lang]: views = "" } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: first }),
    Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: views }));
  const templates = new MutationObserver(() => {
    const template = /** @type {HTMLTemplateElement | null} */ (document.querySelector(`template.arrive-${root.lang}`));
    if (!template || !template.nextElementSibling) return;
    templates.disconnect();
    const page = document.createElement("div");
    page.className = "arrive-page";
    page.dataset.script = template.dataset.script;
    page.append(template.content.cloneNode(true));
    template.before(page);
  });
  templates.observe(root, { childList: true, subtree: true });
})();
