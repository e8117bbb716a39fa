// @ts-check
// Runs before the page is drawn, and chooses the placeholder of the figure until the program runs: a picture of the first scenario, in
// the reader's language and theme, if the program will show that scenario, otherwise an empty frame.
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
  const holdsRun = () => {
    try { return Object.keys(localStorage).some((key) => /^rollplay\/(session$|draft\/)/.test(key)); } catch { return false; }
  };
  if (link || (/^#?$/.test(location.hash) && !holdsRun())) root.dataset.poster = `${root.lang}-${dark ? "dark" : "light"}`;
})();
