// @ts-check
// The embed: shows a poster, loads the program on a click, and exchanges messages with the page around it. It also runs in
// <iframe sandbox="allow-scripts">, where there is no origin and so no storage; it never uses any.
(() => {
  "use strict";
  /** @typedef {[reason: string, message: string]} Refusal */

  /** @param {string} id */
  const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const root = document.documentElement;
  const built = /** @type {Record<"home" | "shipped" | "words" | "panels" | "atOnce" | "main" | "look" | "boot" | "wasm" | "size" | "texts", string>} */ (
    /** @type {unknown} */ (document.body.dataset));
  /** @type {Record<string, { en: string, zh: string, poster: boolean }>} by the name of a scenario: its titles, and whether it has a poster */
  const shipped = JSON.parse(built.shipped);
  const poster = /** @type {HTMLImageElement} */ ($("poster"));
  const openLink = /** @type {HTMLAnchorElement} */ ($("open"));
  const query = new URLSearchParams(location.search);

  // address is the run in the frame's address: ?s=name, or a fragment. WordPress appends "#?secret=…" to the address of every frame,
  // which counts as an empty fragment.
  function address() {
    const [, fragment = ""] = location.hash.split("#");
    if (fragment && !fragment.startsWith("?")) return `#${fragment}`;
    return query.has("s") ? `#s=${query.get("s")}` : "";
  }

  const lang = /^zh\b/i.test(/&lang=(\w+)/.exec(location.hash)?.[1] ?? query.get("lang") ?? "") ? "zh" : "en";
  /** @type {Record<string, Record<string, string>>} */
  const catalogue = JSON.parse(built.words);
  const words = catalogue[lang]; // until the program runs, whose link may have another language
  const framed = window.parent !== window;

  // An embed must not leave anything behind, so it gets storages in memory even where the browser has real storages.
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { value: memoryStorage(), configurable: true });

  // The program reads this when it starts; see app/embed.go.
  const options = {
    fragment: address(),
    panels: (query.get("panels") ?? (query.get("layout") === "compact" ? "" : "why")).split(",").map((name) => name.trim()).filter(Boolean),
    speed: Number(query.get("speed")) || 0,
    stops: ["0", "click", "false", null].includes(query.get("autoplay")), // at captions, for the reader who has clicked
    lang,
  };
  let state = "poster"; // then started, then running
  /** @type {((type: string, value: string | number) => void) | null} */
  let deliver = null; // passes messages to the program, once it runs
  /** @type {[type: string, value: string | number][]} */
  let waiting = []; // messages until then: the last of each kind
  /** @type {import("../src/page").Player | null} */
  let player = null; // plays the picture while the program is on its way

  /**
   * post sends a message to the page around. The parent may have an opaque origin too, which no targetOrigin can name. Messages contain
   * no secrets.
   * @param {string} type
   * @param {object} [fields]
   */
  function post(type, fields) {
    if (framed) window.parent.postMessage({ rollplay: 1, type, ...fields }, "*");
  }

  // The theme.
  /** @type {Record<string, string>} */
  const themes = { light: "light", dark: "dark", auto: "system" };
  const dark = matchMedia("(prefers-color-scheme: dark)");

  /** @param {string | null} name */
  function setTheme(name) {
    const theme = themes[name ?? "auto"] ?? themes.auto;
    localStorage.setItem("rollplay/theme", theme); // where web/src/theme.js reads it
    root.dataset.theme = theme;
    window.rollplay?.setTheme(theme);
    player?.look(theme);
    showPoster();
  }

  // The poster. preset is the shipped scenario whose poster and title the embed shows. The link of another run does not name one.
  const preset = () => /^#s=([a-z0-9-]+)/.exec(options.fragment)?.[1] ?? query.get("poster") ?? "";

  /**
   * visible does the same as words.Visible in the engine: a code block of a page may have a title from a stranger.
   * @param {string} text
   */
  const visible = (text) => text.replace(/[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

  /**
   * posterURL is the address of a poster: posterName in web/site/pages.
   * @param {string} name
   */
  function posterURL(name) {
    const isDark = root.dataset.theme === "dark" || (root.dataset.theme === "system" && dark.matches);
    return `../posters/${name}${lang === "en" ? "" : `-${lang}`}-${isDark ? "dark" : "light"}.svg`;
  }

  /** @type {{ of: string, svg: Promise<SVGSVGElement> } | null} */
  let motion = null; // the picture in motion, once somebody is about to press Play

  // fetchMotion gets it once. A request that fails counts when the reader presses.
  function fetchMotion() {
    const of = `../motions/${preset()}-${lang}.svg`;
    if (motion?.of !== of && shipped[preset()]?.poster) {
      motion = { of, svg: window.rollplayPlayer.fetch(of) };
      motion.svg.catch(() => { motion = null; });
    }
    return motion?.svg;
  }

  // move plays the picture at once: the program takes longer.
  async function move() {
    const picture = fetchMotion();
    if (!picture) return;
    player = await window.rollplayPlayer(poster, $("loader"), picture, words, root.dataset.theme ?? "");
    $("loader").dataset.moves = "";
    if (state === "started" && waiting.at(-1)?.[0] !== "pause") player.play();
  }

  function showPoster() {
    if (state !== "poster") return;
    const known = shipped[preset()];
    const title = visible(query.get("title") ?? "") || known?.[lang] || words.title;
    $("loader-title").textContent = title;
    $("start").setAttribute("aria-label", words["play-it"].replace("%s", () => title));
    poster.hidden = !known?.poster;
    if (known?.poster) poster.src = posterURL(preset());
    openLink.href = `${built.home}${options.fragment}`;
    openLink.dataset.address = openLink.href.slice(0, 300); // for paper
  }

  // The embed refuses a damaged link before it loads the program.

  /**
   * sum is the CRC-24 of RFC 4880, as in engine/link.
   * @param {number[]} bytes
   */
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

  /**
   * normalize undoes the changes of other programs to a link in transit, as engine/link does before it decodes.
   * @param {string} fragment
   */
  function normalize(fragment) {
    let text = fragment.slice(1);
    try {
      text = decodeURIComponent(text);
    } catch { /* as it is */ }
    return text.replace(/\s+/g, "").replace(/[.,;:!?'"`)>\]}*]+$/, "");
  }

  /**
   * isWhole reports whether a link has its checksum.
   * @param {string} link
   */
  function isWhole(link) {
    const packed = /^1\.[a-z]([\w-]{4,})$/.exec(link)?.[1];
    if (!packed) return false;
    const bytes = Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return sum(bytes.slice(3)) === (bytes[0] << 16 | bytes[1] << 8 | bytes[2]);
  }

  /**
   * wrong returns why a run can't be shown: the kind of reason, and a sentence. An empty fragment is the first lesson.
   * @param {string} fragment
   * @returns {Refusal | null}
   */
  function wrong(fragment) {
    const link = normalize(fragment);
    const name = /^s=([^&]*)/.exec(link)?.[1] ?? ("still" in built ? link : undefined);
    if (name !== undefined) return Object.hasOwn(shipped, name) ? null : ["scenario", words["no-scenario"].replace("%s", () => visible(name))];
    try {
      if (link === "" || isWhole(link)) return null;
    } catch { /* not even base64 */ }
    return ["link", words["bad-link"]];
  }

  /**
   * wrongPanel returns the same for the panels. A frame without the host script has nothing to show instead, so it leaves out unknown
   * panels.
   * @returns {Refusal | null}
   */
  function wrongPanel() {
    const name = options.panels.find((name) => !built.panels.split(", ").includes(name));
    return name === undefined ? null : ["panel", words["no-panel"].replace("%s", () => visible(name))];
  }

  /** @param {Refusal} why */
  function refuse([reason, message]) {
    console.warn("rollplay:", message);
    post("error", { reason, message });
  }

  /**
   * stop shows why there is nothing to play.
   * @param {string} message
   */
  function stop(message) {
    state = "refused";
    $("loader").dataset.state = "failed";
    $("start").hidden = true;
    poster.hidden = true;
    $("loader-title").textContent = words.title;
    $("app-wasm-loader-label").textContent = $("loader-said").textContent = message;
  }

  /** @param {string} fragment */
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

  /**
   * add adds a part of the program to the page.
   * @param {"script" | "link"} tag
   * @param {Partial<HTMLScriptElement & HTMLLinkElement>} attributes
   * @param {Record<string, string>} [dataset]
   */
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
    $("loader-bar").hidden = "still" in built;
    move().catch((err) => console.info("rollplay: the picture stands still:", err));
    if ("still" in built) return;
    const modules = built.atOnce.split(" ").filter(Boolean);
    for (const href of modules) add("link", { rel: "modulepreload", href }).catch(() => {});
    // boot.js waits for this, and reports a failure.
    window.rollplayModules = Promise.all([
      import(new URL(built.main, location.href).href),
      add("link", { rel: "stylesheet", href: built.look }),
    ]);
    window.rollplayModules.catch(() => {});
    add("script", { src: built.boot }, { wasm: built.wasm, size: built.size, texts: built.texts }).catch((err) => {
      $("loader").dataset.state = "failed";
      $("loader-bar").hidden = true;
      $("app-wasm-loader-label").textContent = $("loader-said").textContent = err.message;
    });
  }

  /**
   * @param {string} type
   * @param {string | number} value
   */
  function hand(type, value) {
    if (deliver) {
      deliver(type, value);
      return;
    }
    if (type === "play" || type === "pause") player?.[type]();
    waiting = waiting.filter(([other]) => other !== type);
    waiting.push([type, value]);
  }

  // Messages in. A stranger's page may send anything.
  /** @typedef {Partial<Record<"type" | "theme" | "fragment" | "t", unknown>>} Message */

  /** @type {(t: unknown) => t is number} */
  const isTime = (t) => typeof t === "number" && t >= 0 && t <= 1e12;
  /** @type {(f: unknown) => f is string} */
  const isFragment = (f) => typeof f === "string" && f.length <= 200000 && /^#[!-~]*$/.test(f);
  /** @type {(theme: unknown) => theme is string} */
  const isTheme = (theme) => typeof theme === "string" && Object.hasOwn(themes, theme);

  // The kinds of messages: each returns how to obey a message, or nothing for one with a wrong value.
  /** @type {Record<string, (m: Message) => (() => void) | false>} */
  const accepted = {
    theme: ({ theme }) => isTheme(theme) && (() => setTheme(theme)),
    load: ({ fragment }) => isFragment(fragment) && (() => open(fragment)),
    play: () => () => { start(); hand("play", ""); },
    pause: () => () => hand("pause", ""),
    seek: ({ t }) => isTime(t) && (() => hand("seek", t)),
  };

  // Any holder of a handle to this window can send messages; the embed accepts only those of the page around it.
  window.addEventListener("message", (e) => {
    const m = e.data;
    if (!framed || e.source !== window.parent || m === null || typeof m !== "object" || m.rollplay !== 1) return;
    if (typeof m.type !== "string" || !Object.hasOwn(accepted, m.type)) return;
    const act = accepted[m.type](m);
    if (!act) return;
    if (inbox.size === 0) setTimeout(obey);
    inbox.delete(m.type); // to the end
    inbox.set(m.type, act);
  });

  // Only the last message of each kind counts until the next task, so that a flood neither fills the memory nor keeps the program busy.
  /** @type {Map<string, () => void>} */
  const inbox = new Map();

  function obey() {
    const all = [...inbox.values()];
    inbox.clear();
    for (const act of all) act();
  }

  /**
   * openPlayground opens the link to the playground. Where new windows are not allowed, the page around opens it (host=1 promises that),
   * or the embed shows the link for copying.
   * @param {string} fragment
   */
  function openPlayground(fragment) {
    if (!built.home) return;
    const url = new URL(built.home + fragment, location.href).href;
    if (query.has("host")) {
      post("open", { fragment });
      return;
    }
    // With "noopener" the call would not tell whether a window opened. The playground never uses its opener.
    if (window.open(url, "_blank")) return;
    post("open", { fragment });
    $("copy").hidden = false;
    const link = /** @type {HTMLInputElement} */ ($("link"));
    link.value = url;
    link.select();
  }

  let lastHeight = -1;

  function fit() {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === lastHeight) return;
    lastHeight = height;
    post("resize", { height });
  }

  /**
   * speak writes the bar in a language.
   * @param {string} tag
   */
  function speak(tag) {
    root.lang = tag;
    openLink.textContent = catalogue[tag].open;
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
      if (player) {
        const { t, playing, touched } = player.now();
        player.pause();
        to("seek", touched ? t : t - 1); // where the picture has stopped at a question, the program asks it
        to(playing || !touched ? "play" : "pause", "");
      }
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
  for (const sign of ["pointerenter", "pointerdown", "focus"]) $("start").addEventListener(sign, fetchMotion);
  openLink.addEventListener("click", (e) => {
    e.preventDefault();
    if (state === "poster") openPlayground(options.fragment);
    else hand("playground", "");
  });
  window.addEventListener("hashchange", () => open(address()));
  speak(lang);
  const label = $("start").lastElementChild;
  if (label) label.textContent = words.play;
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
  if (query.has("autoplay") && !["0", "false"].includes(query.get("autoplay") ?? "")) start();
})();
