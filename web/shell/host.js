// The script for pages that show runs: it turns <rollplay-embed> into an iframe, puts one above each code block in the
// language "rollplay", and gives all of them the page's theme. The content of an element, a picture or YAML, stays until its
// embed has answered, so a page on which this fails loses nothing. The iframe is in a shadow root: frameworks such as React
// compare the page with what they rendered, and must find it unchanged. /authors/ is the manual.
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
  const base = new URL(/\/v\d+\/[^/]*$/.test(script.src) ? "../" : "./", script.src); // the folder embed/
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
      if (!this.inside) {
        this.inside = ask("createElement", "slot");
        const shadow = this.attachShadow({ mode: "open" });
        shadow.append(this.inside);
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(":host{display:block}:host([hidden]){display:none}button{display:block;width:100%;padding:0 0 8px;border:0;background:none;color:inherit;font:inherit;cursor:pointer}img{display:block;width:100%;height:auto}");
        shadow.adoptedStyleSheets = [sheet];
      }
      if (!this.frame) near.observe(this);
    }

    disconnectedCallback() {
      embeds.delete(this);
      near.unobserve(this);
    }

    // A framework may keep the element and give it another run.
    static observedAttributes = ["scenario", "src", "yaml"];

    attributeChangedCallback() {
      if (!this.isConnected || !this.inside) return;
      const fragment = this.fragment();
      if (!this.frame) near.observe(this);
      else if (fragment) this.load(fragment);
    }

    // fragment names the run: a shipped scenario, a link, or YAML, in an attribute or inside the element. It is empty if there is
    // nothing of these.
    fragment() {
      const scenario = this.getAttribute("scenario");
      if (scenario) return `#s=${scenario}`;
      const [link] = /#.+/.exec(this.getAttribute("src")) ?? [];
      if (link) return link;
      const pre = this.querySelector("pre");
      const yaml = this.yaml ?? this.getAttribute("yaml") ?? (pre ? textOf(pre) : "");
      return yaml.trim() && linkOf(yaml);
    }

    show() {
      if (this.frame || (this.image && !this.asked)) return;
      near.unobserve(this);
      const fragment = this.fragment();
      if (!fragment) return this.receive({ type: "error", reason: "empty", message: "names no scenario, no link and no YAML" });
      if (this.getAttribute("picture") && !this.asked) return this.showPicture();
      const frame = this.frame = ask("createElement", "iframe");
      const url = new URL(base);
      if (this.asked > 1) url.searchParams.set("autoplay", "");
      for (const name of ["height", "autoplay", "panels", "speed", "title", "poster", "layout"]) {
        if (this.hasAttribute(name)) url.searchParams.set(name, this.getAttribute(name));
      }
      url.searchParams.set("theme", this.shown = this.getAttribute("theme") ?? pageTheme());
      const { lang } = this.closest("[lang]") ?? {}; // its own, or that of the surrounding element
      if (lang) url.searchParams.set("lang", lang);
      url.searchParams.set("host", "1");
      url.hash = fragment;
      frame.title = this.title || "A Kubernetes rollout to play";
      // With an origin of its own the frame uses the browser's cache, so all embeds share one download. It gains nothing else.
      // An attribute can only take away from this.
      const asked = this.getAttribute("sandbox")?.toLowerCase().split(/\s+/);
      const allowed = ["allow-scripts", "allow-same-origin"].filter((word) => asked?.includes(word) ?? true);
      frame.setAttribute("sandbox", allowed.join(" "));
      frame.style.cssText = "display:block;width:100%;height:0;border:0;color-scheme:normal";
      frame.src = url;
      this.shadowRoot.append(frame);
    }

    // showPicture shows the author's own picture of the run instead of a frame, until somebody clicks it.
    showPicture() {
      const cover = ask("createElement", "button");
      cover.type = "button";
      const image = this.image = ask("createElement", "img");
      image.alt = this.title;
      image.onload = () => { this.inside.style.display = "none"; };
      image.onerror = () => { if (!this.asked) { this.uncover(); this.start(1); } };
      cover.onclick = () => this.start(2);
      cover.append(image, /^zh/.test(this.closest("[lang]")?.lang) ? "▶ 播放" : "▶ Play");
      this.shadowRoot.append(cover);
      this.syncTheme();
    }

    uncover() {
      this.image?.parentElement.remove();
      this.image = null;
      if (!this.ready) this.inside.style.display = "";
    }

    // start opens the frame; 2 plays at once.
    start(asked) {
      this.asked = asked;
      this.show();
    }

    send(type, fields) {
      this.frame?.contentWindow?.postMessage({ rollplay: 1, type, ...fields }, "*");
    }

    load(fragment) { this.send("load", { fragment }); }
    play() { if (this.image) this.start(2); else this.send("play"); }
    pause() { this.send("pause"); }
    seek(t) { this.send("seek", { t }); }

    syncTheme() {
      const theme = this.getAttribute("theme") ?? pageTheme();
      if (this.image) {
        const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme:dark)").matches);
        const picture = this.getAttribute("picture").replace(/(?=\.\w+$)/, dark ? "-dark" : "");
        if (this.image.getAttribute("src") !== picture) this.image.src = picture;
      }
      if (theme !== this.shown) this.send("theme", { theme: this.shown = theme });
    }

    receive(m) {
      const { frame } = this;
      if (m.type === "ready") {
        const height = Number(this.getAttribute("height")) || this.offsetHeight || 480; // until the frame says its own
        this.ready = true;
        this.uncover();
        this.inside.style.display = "none";
        frame.style.height = `${height}px`;
        this.syncTheme();
      } else if (m.type === "resize" && m.height > 0) {
        frame.style.height = `${Math.min(m.height, 5000)}px`;
      } else if (m.type === "open" && /^#[!-~]{0,200000}$/.test(m.fragment)) {
        // The frame itself may not open windows. It controls only the fragment.
        window.open(new URL(`../${m.fragment}`, base), "_blank", "noopener");
      } else if (m.type === "error") {
        // What the author put inside, or the picture, stays, unless another run is there already.
        if (!this.ready) {
          frame?.remove();
          this.frame = null;
        }
        console.warn("rollplay-embed:", String(m.message).slice(0, 300), this);
      }
      this.dispatchEvent(new CustomEvent(`rollplay-${m.type}`, { detail: m }));
    }
  }

  // textOf returns the lines of a code block. Highlighters put each into an element, end it with <br> or with nothing, and may
  // number it; innerText counts some of these twice.
  function textOf(node) {
    let text = "";
    for (const e of node.childNodes) {
      if (e.nodeName === "BR") text += "\n";
      else if (e.nodeType === 3) text += e.data;
      else if (e instanceof HTMLElement && !(e instanceof HTMLFormElement) && !e.matches(".linenos,.ln,.lnt,button")) {
        const line = /^(DIV|LI|TR)$/.test(e.nodeName);
        if (line && /[^\n]$/.test(text)) text += "\n";
        text += textOf(e);
        if (line && !text.endsWith("\n")) text += "\n";
      }
    }
    return text;
  }

  addEventListener("message", (e) => {
    if (e.data?.rollplay !== 1 || typeof e.data.type !== "string" || !["null", base.origin].includes(e.origin)) return;
    for (const embed of embeds) if (embed.frame && embed.frame.contentWindow === e.source) embed.receive(e.data);
  });

  const blocks = ["div.rollplay pre", "pre.rollplay", ".highlight-rollplay pre", ".language-rollplay pre", "pre.language-rollplay", "pre > code.language-rollplay"].join();

  // outermost returns the largest element that a generator put around a code block.
  function outermost(element) {
    // A form may have a field of the name "closest".
    const box = Element.prototype.closest.call(element.parentElement, "div.rollplay,div.highlight-rollplay,div.language-rollplay,div.highlight");
    return box ? outermost(box) : element;
  }

  const done = new WeakSet();

  // The options of a code block, and what their values look like. Sanitizers let every data-* attribute through, so a block may
  // be written by a stranger: data-onfocus must not become onfocus.
  const name = /^[a-z0-9-]+$/;
  const options = {
    scenario: name, src: /^[!-~]+$/, theme: /^(light|dark|auto)$/, panels: /^[a-z, ]*$/, height: /^\d{1,4}$/, autoplay: /^/,
    speed: /^\d{1,4}(\.\d+)?$/, title: /^/, lang: /^(en|zh)\b/, poster: name, sandbox: /^/, layout: name,
    picture: /^[!-~]+\.(svg|png)$/,
  };

  function upgrade() {
    if (root.dataset.hasHydrated === "false") return; // Docusaurus has not compared the page yet
    for (const found of ask("querySelectorAll", blocks)) {
      const pre = found.closest("pre");
      if (done.has(pre) || pre.closest("rollplay-embed")) continue;
      done.add(pre);
      const embed = ask("createElement", "rollplay-embed");
      for (const [option, pattern] of Object.entries(options)) {
        const value = pre.dataset[option];
        if (value !== undefined && pattern.test(value)) embed.setAttribute(option, value);
      }
      embed.yaml = textOf(pre);
      outermost(pre).before(embed);
    }
  }

  function start() {
    customElements.define("rollplay-embed", Embed);
    upgrade();
    const theme = new MutationObserver(() => {
      upgrade();
      embeds.forEach((e) => e.syncTheme());
    });
    const attributeFilter = ["class", "data-theme", "data-md-color-scheme", "data-bs-theme", "data-has-hydrated"];
    for (const e of [root, ask("body")]) theme.observe(e, { attributeFilter });
    // Sites that switch pages without a reload add new blocks.
    new MutationObserver(upgrade).observe(ask("body"), { childList: true, subtree: true });
  }

  if (customElements.get("rollplay-embed")) return;
  if (ask("body") && ask("readyState") !== "loading") start();
  else addEventListener("DOMContentLoaded", start);
})();
