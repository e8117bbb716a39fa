// @ts-check
// The script for pages that show runs: it turns <rollplay-embed> into an iframe, puts one above each code block in the
// language "rollplay", and gives all of them the page's theme. The content of an element, a picture or YAML, stays until its
// embed has answered, so a page on which this fails loses nothing. The iframe is in a shadow root: frameworks such as React
// compare the page with what they rendered, and must find it unchanged. /authors/ is the manual.
(() => {
  "use strict";
  // own reads a property of document itself: <img name="currentScript"> in the page would take the place of document.currentScript, and
  // name the site of the frames. Any other name is possible, too.
  /** @type {<Name extends keyof Document>(name: Name) => Document[Name]} */
  const own = (name) => Reflect.get(Document.prototype, name, document);
  const create = Document.prototype.createElement.bind(document);
  const script = own("currentScript");
  if (!(script instanceof HTMLScriptElement)) return;
  const base = new URL(/\/v\d+\/[^/]*$/.test(script.src) ? "../" : "./", script.src); // the folder embed/
  const root = own("documentElement");
  /** @type {Set<Embed>} */
  const embeds = new Set();

  // The theme of the page, as documentation generators mark it.
  function pageTheme() {
    const body = own("body") ?? root;
    const said = [root, body].flatMap((e) => [e.dataset.theme, e.dataset.mdColorScheme, e.dataset.bsTheme]).filter(Boolean);
    const words = said.length ? said.join(" ") : `${root.className} ${body.className}`;
    if (/\b(dark|slate)\b/.test(words)) return "dark";
    return /\b(light|default)\b/.test(words) ? "light" : looks(body);
  }

  // A page without such a mark is as it looks: its background, or the browser's, which is dark only where the page allows it.
  /** @param {HTMLElement} body */
  function looks(body) {
    for (const e of [body, root]) {
      const [r, g, b, opacity = 1] = getComputedStyle(e).backgroundColor.replace(/^rgba?\(/, "").split(/[ ,/]+/).map(parseFloat);
      if (b >= 0 && opacity > 0.5) return r * 3 + g * 6 + b < 1280 ? "dark" : "light";
    }
    const meta = Document.prototype.querySelector.call(document, "meta[name=color-scheme]");
    const scheme = getComputedStyle(root).colorScheme + (meta?.getAttribute("content") ?? "");
    return !scheme.includes("dark") ? "light" : scheme.includes("light") ? "auto" : "dark";
  }

  /**
   * linkOf makes a link of a text, as engine/link does when packing gains nothing: a checksum of everything, then the field "s": its
   * length, a checksum, and the text.
   * @param {string} text
   */
  function linkOf(text) {
    const bytes = [...new TextEncoder().encode(text)];
    const length = [];
    let n = bytes.length + 3;
    for (; n > 127; n >>= 7) length.push((n & 127) | 128);
    const body = [115, ...length, n, ...sum(bytes), ...bytes];
    const binary = [...sum(body), ...body].map((b) => String.fromCharCode(b)).join("");
    return `#1.r${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  }

  /**
   * sum is the CRC-24 of RFC 4880.
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
    return [crc >> 16, (crc >> 8) & 255, crc & 255];
  }

  // Frames load when they come near the window.
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting && target instanceof Embed) target.show();
  }, { rootMargin: "300px" });

  class Embed extends HTMLElement {
    connectedCallback() {
      /** @type {string | undefined} */
      this.yaml; // from upgrade, or from a framework
      embeds.add(this);
      if (!this.inside) {
        this.inside = create("slot");
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

    // fragment names the run: a shipped scenario, a link, or YAML, in an attribute or inside the element. It is empty without any of
    // these.
    fragment() {
      const scenario = this.getAttribute("scenario");
      if (scenario) return `#s=${scenario}`;
      const [link] = /#.+/.exec(this.getAttribute("src") ?? "") ?? [];
      if (link) return link;
      const pre = this.querySelector("pre");
      const yaml = this.yaml ?? this.getAttribute("yaml") ?? (pre ? textOf(pre) : "");
      return yaml.trim() && linkOf(yaml);
    }

    show() {
      if (this.frame || (this.image && !this.opened)) return;
      near.unobserve(this);
      const fragment = this.fragment();
      if (!fragment) return this.receive({ type: "error", reason: "empty", message: "names no scenario, no link and no YAML" });
      if (this.getAttribute("picture") && !this.opened) return this.showPicture();
      const frame = this.frame = create("iframe");
      const url = new URL(base);
      if (this.opened === 2) url.searchParams.set("autoplay", "click"); // the reader's, so captions wait
      for (const name of ["height", "autoplay", "panels", "speed", "title", "poster", "layout"]) {
        const value = this.getAttribute(name);
        if (value !== null) url.searchParams.set(name, value);
      }
      /** @type {string | undefined} */
      this.shown = this.getAttribute("theme") ?? pageTheme();
      url.searchParams.set("theme", this.shown);
      const lang = languageOf(this);
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
      frame.src = url.href;
      this.shadowRoot?.append(frame);
    }

    // showPicture shows the author's own picture of the run instead of a frame, until somebody clicks it.
    showPicture() {
      const cover = create("button");
      cover.type = "button";
      const image = this.image = create("img");
      image.alt = this.title;
      image.onload = () => this.showInside(false);
      image.onerror = () => { if (!this.opened) { this.uncover(); this.start(1); } };
      cover.onclick = () => this.start(2);
      cover.append(image, /^zh/.test(languageOf(this)) ? "▶ 播放" : "▶ Play");
      this.shadowRoot?.append(cover);
      this.syncTheme();
    }

    uncover() {
      this.image?.parentElement?.remove();
      this.image = null;
      if (!this.ready) this.showInside(true);
    }

    /** @param {boolean} on */
    showInside(on) {
      if (this.inside) this.inside.style.display = on ? "" : "none";
    }

    /**
     * start opens the frame; 2 plays at once.
     * @param {1 | 2} how
     */
    start(how) {
      this.opened = how;
      this.show();
    }

    /**
     * @param {string} type
     * @param {object} [fields]
     */
    send(type, fields) {
      this.frame?.contentWindow?.postMessage({ rollplay: 1, type, ...fields }, "*");
    }

    /** @param {string} fragment */
    load(fragment) { this.send("load", { fragment }); }
    play() { if (this.image) this.start(2); else this.send("play"); }
    pause() { this.send("pause"); }
    /** @param {number} t in ms */
    seek(t) { this.send("seek", { t }); }

    syncTheme() {
      const theme = this.getAttribute("theme") ?? pageTheme();
      if (this.image) {
        const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme:dark)").matches);
        const picture = (this.getAttribute("picture") ?? "").replace(/(?=\.\w+$)/, dark ? "-dark" : "");
        if (this.image.getAttribute("src") !== picture) this.image.src = picture;
      }
      if (theme !== this.shown) this.send("theme", { theme: this.shown = theme });
    }

    /** @param {{ type: string, height?: number, fragment?: string, reason?: string, message?: string }} m */
    receive(m) {
      const { frame } = this;
      if (m.type === "ready" && frame) {
        const height = Number(this.getAttribute("height")) || this.offsetHeight || 480; // until the frame says its own
        this.ready = true;
        this.uncover();
        this.showInside(false);
        frame.style.height = `${height}px`;
        this.syncTheme();
      } else if (m.type === "resize" && frame && Number(m.height) > 0) {
        frame.style.height = `${Math.min(Number(m.height), 5000)}px`;
      } else if (m.type === "open" && /^#[!-~]{0,200000}$/.test(m.fragment ?? "")) {
        // The frame itself may not open windows. It controls only the fragment.
        window.open(new URL(`../${m.fragment}`, base), "_blank", "noopener");
      } else if (m.type === "error") {
        // The author's own content, or the picture, stays, unless another run is there already.
        if (!this.ready) {
          frame?.remove();
          this.frame = null;
        }
        console.warn("rollplay-embed:", String(m.message).slice(0, 300), this);
      }
      this.dispatchEvent(new CustomEvent(`rollplay-${m.type}`, { detail: m }));
    }
  }

  /**
   * languageOf is the language of an element: its own, or that of the surrounding element.
   * @param {Element} element
   */
  function languageOf(element) {
    const around = element.closest("[lang]");
    return around instanceof HTMLElement ? around.lang : "";
  }

  /**
   * textOf returns the lines of a code block. Highlighters put each into an element, end it with <br> or with nothing, and may number it;
   * innerText counts some of these twice.
   * @param {Node} node
   */
  function textOf(node) {
    let text = "";
    for (const e of node.childNodes) {
      if (e.nodeName === "BR") text += "\n";
      else if (e.nodeType === 3) text += e.nodeValue;
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

  /**
   * outermost returns the largest element that a generator put around a code block.
   * @param {Element} element
   * @returns {Element}
   */
  function outermost(element) {
    // A form may have a field of the name "closest".
    const box = element.parentElement && Element.prototype.closest.call(element.parentElement, "div.rollplay,div.highlight-rollplay,div.language-rollplay,div.highlight");
    return box ? outermost(box) : element;
  }

  const done = new WeakSet();

  // The options of a code block, and the patterns of their values. Sanitizers let every data-* attribute through, so a stranger may have
  // written a block: data-onfocus must not become onfocus.
  const name = /^[a-z0-9-]+$/;
  const options = {
    scenario: name, src: /^[!-~]+$/, theme: /^(light|dark|auto)$/, panels: /^[a-z, ]*$/, height: /^\d{1,4}$/, autoplay: /^/,
    speed: /^\d{1,4}(\.\d+)?$/, title: /^/, lang: /^(en|zh)\b/, poster: name, sandbox: /^/, layout: name,
    picture: /^[!-~]+\.(svg|png)$/,
  };

  function upgrade() {
    if (root.dataset.hasHydrated === "false") return; // Docusaurus has not compared the page yet
    const page = /** @type {any} */ (window);
    if (page.__VP_HASH_MAP__ && !page.app?.__vue_app__) { // nor has VitePress
      requestAnimationFrame(upgrade);
      return;
    }
    for (const found of Document.prototype.querySelectorAll.call(document, blocks)) {
      const pre = found.closest("pre");
      if (!pre || done.has(pre) || pre.closest("rollplay-embed")) continue;
      done.add(pre);
      const embed = /** @type {Embed} */ (create("rollplay-embed"));
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
    const sync = () => embeds.forEach((e) => e.syncTheme());
    const theme = new MutationObserver(() => {
      upgrade();
      sync();
    });
    matchMedia("(prefers-color-scheme:dark)").addEventListener("change", sync);
    const attributeFilter = ["class", "data-theme", "data-md-color-scheme", "data-bs-theme", "data-has-hydrated"];
    for (const e of [root, own("body")]) theme.observe(e, { attributeFilter });
    // Sites that switch pages without a reload add new blocks.
    new MutationObserver(upgrade).observe(own("body"), { childList: true, subtree: true });
  }

  if (customElements.get("rollplay-embed")) return;
  if (own("body") && own("readyState") !== "loading") start();
  else addEventListener("DOMContentLoaded", start);
})();
