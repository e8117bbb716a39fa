// The embed: shows a poster, loads the program on a click, and exchanges messages with the page around it. It also runs in
// <iframe sandbox="allow-scripts">, where there is no origin and so no storage; it never uses any.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  const built = document.body.dataset;
  const shipped = JSON.parse(built.shipped); // name of a scenario: its titles, and whether it has a poster
  const query = new URLSearchParams(location.search);
  const lang = /^zh\b/i.test(/&lang=(\w+)/.exec(location.hash)?.[1] ?? query.get("lang") ?? "") ? "zh" : "en";
  const catalogue = JSON.parse(built.words);
  const words = catalogue[lang]; // until the program runs, whose link may have another language
  const framed = window.parent !== window;

  // An embed must not leave anything behind, so it gets storages in memory even where real ones exist.
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { value: memoryStorage(), configurable: true });

  // The program reads this when it starts; see app/embed.go.
  const options = {
    fragment: location.hash,
    panels: (query.get("panels") ?? "why").split(","),
    speed: Number(query.get("speed")) || 0,
    lang,
  };
  let state = "poster"; // then started, then running
  let deliver = null; // passes messages to the program, once it runs
  let waiting = []; // messages until then: the last of each kind

  // Messages out. The parent may have an opaque origin too, which no targetOrigin can name. Messages contain no secrets.
  function post(type, fields) {
    if (framed) window.parent.postMessage({ rollplay: 1, type, ...fields }, "*");
  }

  // The theme.
  const themes = { light: "light", dark: "dark", auto: "system" };
  const dark = matchMedia("(prefers-color-scheme: dark)");

  function setTheme(name) {
    const theme = themes[name] ?? themes.auto;
    localStorage.setItem("rollplay/theme", theme); // where web/src/theme.js reads it
    root.dataset.theme = theme;
    window.rollplay?.setTheme(theme);
    showPoster();
  }

  // The poster.
  // preset is the shipped scenario whose poster and title the embed shows. The link of another run does not name one.
  const preset = () => /^#s=([a-z0-9-]+)/.exec(options.fragment)?.[1] ?? query.get("poster") ?? "";

  // visible is what words.Visible in the engine is: a code block of a page may have a title that a stranger wrote.
  const visible = (text) => text.replace(/[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

  // posterURL is where the build puts the posters: posterName in web/site/pages.
  function posterURL(name) {
    const isDark = root.dataset.theme === "dark" || (root.dataset.theme === "system" && dark.matches);
    return `../posters/${name}${lang === "en" ? "" : `-${lang}`}-${isDark ? "dark" : "light"}.svg`;
  }

  function showPoster() {
    if (state !== "poster") return;
    const known = shipped[preset()];
    const title = visible(query.get("title") ?? "") || known?.[lang] || words.title;
    $("loader-title").textContent = title;
    $("start").setAttribute("aria-label", words["play-it"].replace("%s", () => title));
    $("poster").hidden = !known?.poster;
    if (known?.poster) $("poster").src = posterURL(preset());
    $("open").href = `../${options.fragment}`;
  }

  function open(fragment) {
    options.fragment = fragment;
    if (state === "poster") showPoster();
    else hand("load", fragment);
  }

  // The program.
  function add(tag, attributes, dataset = {}) {
    const element = Object.assign(document.createElement(tag), attributes);
    Object.assign(element.dataset, dataset);
    const loaded = new Promise((done, fail) => {
      element.onload = done;
      element.onerror = () => fail(new Error(`${element.src || element.href} could not be loaded`));
    });
    document.head.append(element);
    return loaded;
  }

  function start() {
    if (state !== "poster") return;
    state = "started";
    $("loader").dataset.state = "loading";
    $("start").hidden = true;
    $("loader-bar").hidden = false;
    const modules = built.atOnce.split(" ").filter(Boolean);
    for (const href of modules) add("link", { rel: "modulepreload", href }).catch(() => {});
    // boot.js waits for this, and reports a failure.
    window.rollplayModules = Promise.all([
      import(new URL(built.main, location)),
      add("link", { rel: "stylesheet", href: built.look }),
    ]);
    window.rollplayModules.catch(() => {});
    add("script", { src: built.boot }, { wasm: built.wasm, size: built.size, texts: built.texts }).catch((err) => {
      $("loader").dataset.state = "failed";
      $("loader-bar").hidden = true;
      $("app-wasm-loader-label").textContent = err.message;
    });
  }

  function hand(type, value) {
    if (deliver) {
      deliver(type, value);
      return;
    }
    waiting = waiting.filter(([other]) => other !== type);
    waiting.push([type, value]);
  }

  // Messages in.
  const isTime = (t) => typeof t === "number" && t >= 0 && t <= 1e12;
  const isFragment = (f) => typeof f === "string" && f.length <= 200000 && /^#[!-~]*$/.test(f);
  const accepted = {
    theme: [(m) => typeof m.theme === "string" && Object.hasOwn(themes, m.theme), (m) => setTheme(m.theme)],
    load: [(m) => isFragment(m.fragment), (m) => open(m.fragment)],
    play: [() => true, () => { start(); hand("play", ""); }],
    pause: [() => true, () => hand("pause", "")],
    seek: [(m) => isTime(m.t), (m) => hand("seek", m.t)],
  };

  // Any holder of a handle to this window can send messages; the embed accepts only those of the page around it.
  window.addEventListener("message", (e) => {
    const m = e.data;
    if (!framed || e.source !== window.parent || m === null || typeof m !== "object" || m.rollplay !== 1) return;
    if (typeof m.type !== "string" || !Object.hasOwn(accepted, m.type)) return;
    if (!accepted[m.type][0](m)) return;
    if (inbox.size === 0) setTimeout(obey);
    inbox.delete(m.type); // to the end
    inbox.set(m.type, m);
  });

  // Of the messages that come at once only the last of each kind counts, so that a flood of them neither fills the memory nor keeps
  // the program busy.
  const inbox = new Map();

  function obey() {
    const all = [...inbox.values()];
    inbox.clear();
    for (const m of all) accepted[m.type][1](m);
  }

  // The link to the playground. Where new windows are not allowed, the embed asks the page around it (host=1 says that it
  // will open them), or shows the link for copying.
  function openPlayground(fragment) {
    const url = new URL(`../${fragment}`, location).href;
    if (query.has("host")) {
      post("open", { fragment });
      return;
    }
    // With "noopener" the call would not tell whether a window opened. The playground never uses its opener.
    if (window.open(url, "_blank")) return;
    post("open", { fragment });
    $("copy").hidden = false;
    $("link").value = url;
    $("link").select();
  }

  function fit() {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === fit.last) return;
    fit.last = height;
    post("resize", { height });
  }

  // speak writes the bar in a language.
  function speak(tag) {
    root.lang = tag;
    $("open").textContent = catalogue[tag].open;
    $("copy-label").textContent = catalogue[tag].copy;
  }

  window.rollplayEmbed = {
    speak,
    options: () => JSON.stringify(options),
    post,
    open: openPlayground,
    // started takes over when the program listens.
    started(to) {
      state = "running";
      deliver = to;
      for (const [type, value] of waiting.splice(0)) to(type, value);
    },
  };

  const height = Number(query.get("height"));
  if (height > 0 && height <= 4000) document.body.style.minHeight = `${height}px`;
  $("start").addEventListener("click", start);
  $("open").addEventListener("click", (e) => {
    e.preventDefault();
    if (state === "poster") openPlayground(options.fragment);
    else hand("playground", "");
  });
  window.addEventListener("hashchange", () => open(location.hash));
  speak(lang);
  $("start").lastChild.textContent = words.play;
  window.rollplayWords = words; // for boot.js
  setTheme(query.get("theme"));
  dark.addEventListener("change", showPoster);
  post("ready");
  new ResizeObserver(fit).observe(document.body);
  if (query.has("autoplay") && !["0", "false"].includes(query.get("autoplay"))) start();
})();
