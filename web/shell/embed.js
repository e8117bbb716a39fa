// The embed: shows a poster, loads the program on a click, and exchanges messages with the page around it. It also runs in
// <iframe sandbox="allow-scripts">, where there is no origin and so no storage; it never uses any.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  const built = document.body.dataset;
  const shipped = JSON.parse(built.shipped); // name of a scenario: its titles, and whether it has a poster
  const query = new URLSearchParams(location.search);

  // address is the run that the frame's address names: ?s=name, or a fragment. WordPress appends "#?secret=…" to the address of every
  // frame, which replaces no fragment but one that is empty.
  function address() {
    const [, fragment = ""] = location.hash.split("#");
    if (fragment && !fragment.startsWith("?")) return `#${fragment}`;
    return query.has("s") ? `#s=${query.get("s")}` : "";
  }

  const lang = /^zh\b/i.test(/&lang=(\w+)/.exec(location.hash)?.[1] ?? query.get("lang") ?? "") ? "zh" : "en";
  const catalogue = JSON.parse(built.words);
  const words = catalogue[lang]; // until the program runs, whose link may have another language
  const framed = window.parent !== window;

  // An embed must not leave anything behind, so it gets storages in memory even where real ones exist.
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { value: memoryStorage(), configurable: true });

  // The program reads this when it starts; see app/embed.go.
  const options = {
    fragment: address(),
    panels: (query.get("panels") ?? (query.get("layout") === "compact" ? "" : "why")).split(",").map((name) => name.trim()).filter(Boolean),
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
    $("open").dataset.address = new URL(`../${options.fragment}`, location).href.slice(0, 300); // for paper
  }

  // What can't be shown is refused before the program is loaded.

  // sum is the CRC-24 of RFC 4880, as in engine/link.
  function sum(bytes) {
    let crc = 0xb704ce;
    for (const b of bytes) {
      crc ^= b << 16;
      for (let i = 0; i < 8; i++) {
        crc <<= 1;
        if (crc & 0x1000000) crc ^= 0x1864cfb;
      }
    }
    return crc;
  }

  // normalize undoes what programs do to a link in transit, as engine/link does before it decodes.
  function normalize(fragment) {
    let text = fragment.slice(1);
    try {
      text = decodeURIComponent(text);
    } catch { /* as it is */ }
    return text.replace(/\s+/g, "").replace(/[.,;:!?'"`)>\]}*]+$/, "");
  }

  // isWhole says whether a link has its checksum.
  function isWhole(link) {
    const packed = /^1\.[a-z]([\w-]{4,})$/.exec(link)?.[1];
    if (!packed) return false;
    const bytes = Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return sum(bytes.slice(3)) === (bytes[0] << 16 | bytes[1] << 8 | bytes[2]);
  }

  // wrong returns why a run can't be shown: the kind of reason, and a sentence. An empty fragment is the first lesson.
  function wrong(fragment) {
    const link = normalize(fragment);
    const name = /^s=([^&]*)/.exec(link)?.[1];
    if (name !== undefined) return Object.hasOwn(shipped, name) ? null : ["scenario", words["no-scenario"].replace("%s", () => visible(name))];
    try {
      if (link === "" || isWhole(link)) return null;
    } catch { /* not even base64 */ }
    return ["link", words["bad-link"]];
  }

  // wrongPanel returns the same for the panels. A frame without the host script has nothing to show instead, so it leaves out what it
  // does not know.
  function wrongPanel() {
    const name = options.panels.find((name) => !built.panels.split(", ").includes(name));
    return name === undefined ? null : ["panel", words["no-panel"].replace("%s", () => visible(name))];
  }

  function refuse([reason, message]) {
    console.warn("rollplay:", message);
    post("error", { reason, message });
  }

  // stop shows why there is nothing to play.
  function stop(message) {
    state = "refused";
    $("loader").dataset.state = "failed";
    $("start").hidden = true;
    $("poster").hidden = true;
    $("loader-title").textContent = words.title;
    $("app-wasm-loader-label").textContent = $("loader-said").textContent = message;
  }

  function open(fragment) {
    const why = wrong(fragment);
    if (why) {
      refuse(why);
      return;
    }
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
      $("app-wasm-loader-label").textContent = $("loader-said").textContent = err.message;
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

  // The small layout has one height from the picture to the end of the run; the other grows with its content.
  const height = Number(query.get("height"));
  if (query.get("layout") === "compact") {
    document.body.dataset.layout = "compact";
    document.body.style.height = `${Math.min(Math.max(height || 480, 320), 480)}px`;
  } else if (height > 0 && height <= 4000) document.body.style.minHeight = `${height}px`;
  $("start").addEventListener("click", start);
  $("open").addEventListener("click", (e) => {
    e.preventDefault();
    if (state === "poster") openPlayground(options.fragment);
    else hand("playground", "");
  });
  window.addEventListener("hashchange", () => open(address()));
  speak(lang);
  $("start").lastChild.textContent = words.play;
  window.rollplayWords = words; // for boot.js
  setTheme(query.get("theme"));
  dark.addEventListener("change", showPoster);
  const why = wrong(options.fragment) ?? wrongPanel();
  if (why) refuse(why);
  if (why && (why[0] !== "panel" || query.has("host"))) {
    stop(why[1]);
    return;
  }
  post("ready");
  new ResizeObserver(fit).observe(document.body);
  if (query.has("autoplay") && !["0", "false"].includes(query.get("autoplay"))) start();
})();
