// @ts-check
// The player: the picture of a run in motion (app/picture) with a button, a scrubber and its captions. It needs no program, so it plays
// on the pages for reading and in an embed from the click on. The picture is an SVG with CSS animations: the player pauses all of them and
// sets their time.
"use strict";
(() => {
  /** @typedef {{ t: number, rest: number, text: string, asks?: boolean }} Caption */
  /** @typedef {{ begin: number, first: number, end: number, motion: number, captions: Caption[], counts: [number, number, number][] }} Run */
  /** @typedef {{ play: string, pause: string, moment: string, before: string, after: string, time: string }} Words */

  const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  /**
   * fetchPicture returns the picture. Unlike a parser, a request needs no text that Trusted Types would refuse.
   * @param {string} address
   * @returns {Promise<SVGSVGElement>}
   */
  function fetchPicture(address) {
    return new Promise((done, fail) => {
      const request = new XMLHttpRequest();
      request.open("GET", address);
      request.responseType = "document";
      request.overrideMimeType("image/svg+xml");
      request.onload = () => {
        const svg = request.responseXML?.documentElement;
        if (svg?.dataset?.run) done(/** @type {any} */ (document.importNode(svg, true)));
        else fail(new Error(`the server answered ${request.status} for ${address}`));
      };
      request.onerror = () => fail(new Error(`${address} could not be loaded`));
      request.send();
    });
  }

  /**
   * sheetFor takes the styles out of the picture, in the colours of a theme, and with motion also for people who ask for less: here they
   * move it themselves.
   * @param {string} css
   * @param {string} theme light, dark or system
   */
  function sheetFor(css, theme) {
    const sheet = new CSSStyleSheet();
    const media = { dark: "all", light: "not all" }[theme] ?? "(prefers-color-scheme:dark)";
    sheet.replaceSync(css.replaceAll("(prefers-color-scheme:dark)", media).replaceAll("(prefers-reduced-motion:no-preference)", "all") +
      ":host{display:block}:host>svg{display:block;width:100%;height:var(--player-height,auto)}");
    return sheet;
  }

  /**
   * clock maps the time of the animation to virtual time: the picture moves evenly and rests at each caption, as in app/picture/reel.go.
   * @param {Run} run
   */
  function clock(run) {
    const moved = (/** @type {number} */ t) => (run.motion * (Math.min(Math.max(t, run.begin), run.end) - run.begin)) / (run.end - run.begin);
    const starts = run.captions.map((c, i) => moved(c.t) + run.captions.slice(0, i).reduce((sum, x) => sum + x.rest, 0));
    const all = run.motion + run.captions.reduce((sum, c) => sum + c.rest, 0);
    return {
      starts,
      all, // ms until the run has ended
      /** @param {number} t virtual ms */
      at: (t) => run.captions.reduce((sum, c) => sum + (c.t < t ? c.rest : 0), moved(t)),
      /** @param {number} ms of the animation */
      virtual(ms) {
        for (const c of run.captions) {
          if (ms <= moved(c.t)) break;
          ms -= Math.min(ms - moved(c.t), c.rest);
        }
        return Math.min(run.begin + (ms * (run.end - run.begin)) / run.motion, run.end);
      },
    };
  }

  /**
   * @param {string} tag
   * @param {object} [properties]
   * @param {Record<string, string>} [attributes]
   */
  function make(tag, properties = {}, attributes = {}) {
    const element = Object.assign(document.createElement(tag), properties);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  const shapes = { play: "M5 2.5v15l12-7.5z", pause: "M5 3h4v14H5zM11 3h4v14h-4z", before: "M3 3h2.5v14H3zM17 3v14L6.5 10z", after: "M14.5 3H17v14h-2.5zM3 3v14l10.5-7z" };

  /**
   * button is a button with a drawing.
   * @param {keyof typeof shapes} shape
   * @param {string} label
   * @param {() => void} act
   */
  function button(shape, label, act) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    svg.setAttribute("viewBox", "0 0 20 20");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", shapes[shape]);
    svg.append(path);
    const element = make("button", { type: "button", title: label }, { "aria-label": label, "data-play": shape });
    element.append(svg);
    element.addEventListener("click", act);
    return element;
  }

  /**
   * player puts a player in the place of a still picture, which stays hidden beside it, and its bar at the end of the figure.
   * @param {HTMLElement} still
   * @param {HTMLElement} figure
   * @param {string | Promise<SVGSVGElement>} picture in motion, or its address
   * @param {Words} words
   * @param {string} theme
   */
  async function player(still, figure, picture, words, theme) {
    const svg = await (typeof picture === "string" ? fetchPicture(picture) : picture);
    /** @type {Run} */
    const run = JSON.parse(svg.dataset.run ?? ""), css = svg.dataset.css ?? "";
    const { starts, all, at, virtual } = clock(run);

    const host = make("div", { className: "player-picture" });
    const shadow = host.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [sheetFor(css, theme)];
    shadow.append(svg);
    const said = make("span", { className: "player-said" }, { role: "status" });
    const time = make("span", { className: "player-time" });
    const scrub = /** @type {HTMLInputElement} */ (make("input", { type: "range", min: run.begin, max: run.end, step: 10 }, { "aria-label": words.time }));
    const toggle = button("play", words.play, () => { touched = true; if (playing) pause(); else play(); });
    const bar = make("div", { className: "player-bar" }, { role: "group" });
    bar.append(toggle, scrub, time, said);
    if (starts.length) {
      toggle.before(button("before", words.before, () => step(-1)));
      toggle.after(button("after", words.after, () => step(1)));
    }
    still.hidden = true;
    still.after(host);
    figure.append(bar);

    const moves = svg.getAnimations({ subtree: true });
    for (const a of moves) a.pause();
    let ms = 0, last = 0, playing = false, touched = false;
    /** @param {number} t */
    const seconds = (t) => `${(t / 1000).toFixed(1)} s`;

    // show puts the picture to a time of the animation.
    function show() {
      for (const a of moves) a.currentTime = Math.min(ms + all / 10000, all + 1); // keyframes are written to a hundredth of a percent
      const t = virtual(ms);
      const [, total, available] = run.counts[Math.max(run.counts.filter(([from]) => from <= t).length, 1) - 1];
      scrub.value = String(t);
      scrub.setAttribute("aria-valuetext", words.moment.replace("%s", seconds(t)).replace("%d", String(total)).replace("%d", String(available)));
      time.textContent = seconds(t);
    }

    const shown = () => starts.filter((start) => start <= ms).length; // captions so far

    /**
     * go moves to a time of the animation, and reports whether a question has come.
     * @param {number} to
     */
    function go(to) {
      const before = shown();
      ms = Math.min(Math.max(to, 0), all);
      show();
      const now = shown();
      if (now !== before) said.textContent = run.captions[now - 1]?.text ?? "";
      return run.captions.slice(before, now).some((c) => c.asks);
    }

    /** @param {number} now */
    function frame(now) {
      if (!playing) return;
      const asks = go(ms + Math.min(now - last, 100)); // a tab in the background draws nothing
      last = now;
      if (asks || ms >= all) pause();
      else requestAnimationFrame(frame);
    }

    function play() {
      if (calm()) {
        step(1); // for people who ask for less motion, a press is a step
        return;
      }
      if (ms >= all) go(0);
      playing = true;
      last = performance.now();
      mark();
      requestAnimationFrame(frame);
    }

    function pause() {
      playing = false;
      mark();
    }

    function mark() {
      const shape = playing ? "pause" : "play";
      toggle.dataset.play = shape;
      toggle.title = words[shape];
      toggle.setAttribute("aria-label", words[shape]);
      toggle.querySelector("path")?.setAttribute("d", shapes[shape]);
    }

    /**
     * step goes to the caption before or after, or to an end.
     * @param {number} by
     */
    function step(by) {
      touched = true;
      if (playing) pause();
      go(by > 0 ? starts.find((start) => start > ms) ?? all : starts.filter((start) => start < ms).pop() ?? 0);
    }

    scrub.addEventListener("input", () => { touched = true; pause(); go(at(Number(scrub.value))); });
    go(at(run.first - 500)); // shortly before something happens
    return {
      play, pause,
      /** @param {string} theme */
      look: (theme) => { shadow.adoptedStyleSheets = [sheetFor(css, theme)]; },
      now: () => ({ t: Math.round(virtual(ms)), playing, touched }),
    };
  }
  window.rollplayPlayer = Object.assign(player, { fetch: fetchPicture });
})();
