// The script for pages that show runs: it turns <rollplay-embed> into an iframe, puts one above each code block in the
// language "rollplay", and gives all of them the page's theme. The content of an element, a picture or YAML, stays until its
// embed has answered, so a page on which this fails loses nothing. /authors/ is the manual.
(() => {
  "use strict";
  // ask reads what document itself has: <img name="currentScript"> in the page would take the place of document.currentScript, and
  // name the site of the frames. Any other name is possible, too.
  const ask = (name, ...args) => {
    const value = Reflect.get(Document.prototype, name, document);
    return typeof value === "function" ? value.apply(document, args) : value;
  };
  const script = ask("currentScript");
  if (!(script instanceof HTMLScriptElement)) return;
  const base = new URL("./", script.src); // the folder embed/
  const root = ask("documentElement");
  const embeds = new Set();

  // The theme of the page, as documentation generators mark it.
  function pageTheme() {
    const body = ask("body") ?? root;
    const said = [root, body].flatMap((e) => [e.dataset.theme, e.dataset.mdColorScheme, e.dataset.bsTheme]).filter(Boolean);
    const words = said.length ? said.join(" ") : `${root.className} ${body.className}`;
    if (/\b(dark|slate)\b/.test(words)) return "dark";
    return /\b(light|default)\b/.test(words) ? "light" : "auto";
  }

  // linkOf makes a link of a text, as engine/link does when packing gains nothing: a checksum of everything, then the field "s":
  // its length, a checksum, and the text.
  function linkOf(text) {
    const bytes = [...new TextEncoder().encode(text)];
    const length = [];
    let n = bytes.length + 3;
    for (; n > 127; n >>= 7) length.push((n & 127) | 128);
    const body = [115, ...length, n, ...sum(bytes), ...bytes];
    const binary = [...sum(body), ...body].map((b) => String.fromCharCode(b)).join("");
    return `#1.r${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  }

  // sum is the CRC-24 of RFC 4880.
  function sum(bytes) {
    let crc = 0xb704ce;
    for (const b of bytes) {
      crc ^= b << 16;
      for (let i = 0; i < 8; i++) {
        crc <<= 1;
        if (crc & 0x1000000) crc ^= 0x1864cfb;
      }
    }
    return [crc >> 16, (crc >> 8) & 255, crc & 255];
  }

  // Frames load when they come near the window.
  const near = new IntersectionObserver((entries) => {
    for (const e of entries) if (e.isIntersecting) e.target.show();
  }, { rootMargin: "300px" });

  class Embed extends HTMLElement {
    connectedCallback() {
      embeds.add(this);
      this.style.display = "block";
      if (!this.frame) near.observe(this);
    }

    disconnectedCallback() {
      embeds.delete(this);
      near.unobserve(this);
    }

    // fragment names the run: a shipped scenario, a link, or the YAML inside the element.
    fragment() {
      const src = this.getAttribute("src") ?? "";
      if (this.hasAttribute("scenario")) return `#s=${this.getAttribute("scenario")}`;
      if (src.includes("#")) return src.slice(src.indexOf("#"));
      return linkOf(this.yaml ?? this.querySelector("pre")?.textContent ?? "");
    }

    show() {
      if (this.frame) return;
      near.unobserve(this);
      const frame = this.frame = ask("createElement", "iframe");
      const url = new URL(base);
      for (const name of ["height", "autoplay", "panels", "speed", "title", "poster"]) {
        if (this.hasAttribute(name)) url.searchParams.set(name, this.getAttribute(name));
      }
      url.searchParams.set("theme", this.shown = this.getAttribute("theme") ?? pageTheme());
      const { lang } = this.closest("[lang]") ?? {}; // its own, or that of the surrounding element
      if (lang) url.searchParams.set("lang", lang);
      url.searchParams.set("host", "1");
      url.hash = this.fragment();
      frame.title = this.title || "A Kubernetes rollout to play";
      // With an origin of its own the frame uses the browser's cache, so all embeds share one download. It gains nothing else.
      // An attribute can only take away from this.
      const asked = this.getAttribute("sandbox")?.toLowerCase().split(/\s+/);
      const allowed = ["allow-scripts", "allow-same-origin"].filter((word) => asked?.includes(word) ?? true);
      frame.setAttribute("sandbox", allowed.join(" "));
      frame.style.cssText = "display:block;width:100%;height:0;border:0;color-scheme:normal";
      frame.src = url;
      this.append(frame);
    }

    send(type, fields) {
      this.frame?.contentWindow?.postMessage({ rollplay: 1, type, ...fields }, "*");
    }

    load(fragment) { this.send("load", { fragment }); }
    play() { this.send("play"); }
    pause() { this.send("pause"); }
    seek(t) { this.send("seek", { t }); }

    syncTheme() {
      const theme = this.getAttribute("theme") ?? pageTheme();
      if (theme !== this.shown) this.send("theme", { theme: this.shown = theme });
    }

    receive(m) {
      if (m.type === "ready") {
        const height = Number(this.getAttribute("height")) || this.offsetHeight || 480; // until the frame says its own
        // Not "hidden": many style sheets set how pictures are displayed, and would override it.
        for (const child of this.children) if (child !== this.frame) child.style.setProperty("display", "none", "important");
        this.frame.style.height = `${height}px`;
        this.syncTheme();
      } else if (m.type === "resize" && m.height > 0) {
        this.frame.style.height = `${Math.min(m.height, 5000)}px`;
      } else if (m.type === "open" && /^#[!-~]{0,200000}$/.test(m.fragment)) {
        // The frame itself may not open windows. It controls only the fragment.
        window.open(new URL(`../${m.fragment}`, base), "_blank", "noopener");
      }
      this.dispatchEvent(new CustomEvent(`rollplay-${m.type}`, { detail: m }));
    }
  }

  addEventListener("message", (e) => {
    if (e.data?.rollplay !== 1 || typeof e.data.type !== "string" || !["null", base.origin].includes(e.origin)) return;
    for (const embed of embeds) if (embed.frame && embed.frame.contentWindow === e.source) embed.receive(e.data);
  });

  const blocks = "pre.rollplay, pre.language-rollplay, pre > code.language-rollplay, .language-rollplay pre";
  const done = new WeakSet();

  // The options of a code block, and what their values look like. Sanitizers let every data-* attribute through, so a block may
  // be written by a stranger: data-onfocus must not become onfocus.
  const name = /^[a-z0-9-]+$/;
  const options = {
    scenario: name, src: /^[!-~]+$/, theme: /^(light|dark|auto)$/, panels: /^[a-z, ]*$/, height: /^\d{1,4}$/, autoplay: /^/,
    speed: /^\d{1,4}(\.\d+)?$/, title: /^/, lang: /^(en|zh)\b/, poster: name, sandbox: /^/,
  };

  function upgrade() {
    for (const found of ask("querySelectorAll", blocks)) {
      const pre = found.closest("pre");
      if (done.has(pre) || pre.closest("rollplay-embed")) continue;
      done.add(pre);
      const embed = ask("createElement", "rollplay-embed");
      for (const [option, pattern] of Object.entries(options)) {
        const value = pre.dataset[option];
        if (value !== undefined && pattern.test(value)) embed.setAttribute(option, value);
      }
      embed.yaml = (pre.querySelector("code") ?? pre).innerText;
      pre.before(embed);
    }
  }

  function start() {
    customElements.define("rollplay-embed", Embed);
    upgrade();
    const theme = new MutationObserver(() => embeds.forEach((e) => e.syncTheme()));
    const attributeFilter = ["class", "data-theme", "data-md-color-scheme", "data-bs-theme"];
    for (const e of [root, ask("body")]) theme.observe(e, { attributeFilter });
    // Sites that switch pages without a reload add new blocks.
    new MutationObserver(upgrade).observe(ask("body"), { childList: true, subtree: true });
  }

  if (customElements.get("rollplay-embed")) return;
  if (ask("body") && ask("readyState") !== "loading") start();
  else addEventListener("DOMContentLoaded", start);
})();
