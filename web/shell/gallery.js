// @ts-check
// Filters the gallery. Without this script the page lists all scenarios. The query of the address holds the search, so that
// people can share it, and the Back button restores it.
(() => {
  "use strict";
  /** @param {string} id */
  const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const search = /** @type {HTMLInputElement} */ ($("search")), field = /** @type {HTMLSelectElement} */ ($("field")), sort = /** @type {HTMLSelectElement} */ ($("sort")), found = $("found");
  const gallery = $("gallery");
  const chapters = /** @type {HTMLElement[]} */ ([...gallery.children]);
  const cards = [...gallery.querySelectorAll("li")];
  const texts = cards.map((card) => `${card.dataset.name} ${card.textContent} ${card.dataset.search}`.toLowerCase());

  /**
   * matches reports whether a card contains all the words, is of the chosen sort, and has the chosen field.
   * @param {number} i
   * @param {string[]} words
   */
  function matches(i, words) {
    const { fields = "", sorts = "", name = "" } = cards[i].dataset;
    const path = sort.selectedOptions[0]?.dataset.names; // the lessons of an option, in the order of the page
    const chosen = (/** @type {HTMLSelectElement} */ select, /** @type {string} */ of) => select.value === "" || of.split(" ").includes(select.value);
    return words.every((word) => texts[i].includes(word)) && chosen(field, fields) && (path ? path.split(" ").includes(name) : chosen(sort, sorts));
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    cards.forEach((card, i) => {
      card.hidden = !matches(i, words);
      if (!card.hidden) n++;
    });
    for (const chapter of chapters) {
      chapter.hidden = !chapter.querySelector("li:not([hidden])");
      if (chapter instanceof HTMLDetailsElement && (n < cards.length || location.hash === `#${chapter.id}`)) chapter.open = true;
    }
    const counts = [n, cards.length];
    found.textContent = (n === 0 ? found.dataset.none : found.dataset.some?.replace(/%d/g, () => String(counts.shift()))) ?? "";
  }

  function keep() {
    const query = new URLSearchParams();
    if (search.value.trim()) query.set("q", search.value.trim());
    if (field.value) query.set("field", field.value);
    if (sort.value) query.set("sort", sort.value);
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
    // The other language shows the same choice of cards.
    for (const link of document.querySelectorAll("[data-act=language]")) {
      if (link instanceof HTMLAnchorElement) link.search = query.size ? `?${query}` : "";
    }
  }

  /** @param {string} key */
  function stored(key) {
    try { return localStorage.getItem(key) ?? ""; } catch { return ""; /* storage is refused */ }
  }

  /**
   * fill writes numbers into the text of an element.
   * @param {HTMLElement | null} el
   * @param {...number} numbers
   */
  function fill(el, ...numbers) {
    if (el) el.textContent = (el.dataset.text ?? "").replace(/%d/g, () => String(numbers.shift()));
  }

  // The rest shows what the playground keeps, as app/lesson/answers.go writes it: a lesson's name in the first list when it was seen, and a
  // line for each answer, "first-rollout:10000 0 20783 right".
  const levels = ["", "seen", "answered", "mastered"];
  const intervals = [1, 3, 7, 21]; // days until a question is due
  const today = () => Math.floor(Date.now() / 86_400_000);

  function answers() {
    const asked = new Set(cards.flatMap((card) => asksOf(card)));
    return stored("rollplay/answers").split("\n").map((line) => line.split(" ")).filter((line) => line.length === 4 && asked.has(line[0]) && (Number(line[1]) || 0) in intervals)
      .map(([key, box, day, state]) => ({ key, day: Number(day), due: Number(day) + intervals[Number(box) || 0], state }));
  }

  /** @param {HTMLElement} card */
  function asksOf({ dataset: { name, asks = "" } }) {
    return asks.split(" ").filter(Boolean).map((at) => `${name}:${at}`);
  }

  // standing marks what was seen, answered and mastered, counts it, and offers a review.
  function standing() {
    const seen = stored("rollplay/progress").split(" "), given = answers();
    const isSeen = (/** @type {HTMLElement} */ card) => seen.includes(card.dataset.name ?? "");
    const levelOf = (/** @type {HTMLElement} */ card) => {
      const states = asksOf(card).map((key) => given.find((a) => a.key === key)?.state);
      if (states.length === 0) return isSeen(card) ? 3 : 0; // an exercise is solved then
      const mastered = states.every((state) => state === "right" || state === "slipped");
      return mastered ? 3 : states.every(Boolean) ? 2 : isSeen(card) ? 1 : 0;
    };
    const level = new Map(/** @type {HTMLElement[]} */ (cards).map((card) => [card, levelOf(card)]));
    const reached = (/** @type {HTMLElement[]} */ some, /** @type {number} */ least) => some.filter((card) => (level.get(card) ?? 0) >= least).length;
    const counts = (/** @type {HTMLElement[]} */ some) => [some.filter(isSeen).length, reached(some, 2), reached(some, 3), some.length];
    for (const card of cards) {
      const mark = levels[level.get(card) ?? 0], label = card.querySelector("small b");
      card.dataset.level = mark;
      if (label) label.textContent = mark && `${gallery.dataset[mark]} · `;
    }
    for (const chapter of chapters) {
      /** @type {HTMLElement[]} */
      const some = [...chapter.querySelectorAll("li")];
      const count = /** @type {HTMLElement | null} */ (chapter.querySelector("h2 small"));
      if (count) count.dataset.text = gallery.dataset.text;
      if (some.some((card) => card.dataset.level)) fill(count, ...counts(some));
    }
    const core = [...sort.options].find((o) => o.value === "core")?.dataset.names?.split(" ") ?? [];
    fill($("core-standing"), reached(cards.filter((card) => core.includes(card.dataset.name ?? "")), 3), core.length);
    fill($("standing").querySelector("b"), ...counts(cards));
    $("standing").hidden = reached(cards, 1) === 0 && given.length === 0;
    const keys = review(given), link = /** @type {HTMLAnchorElement} */ ($("review"));
    link.hidden = keys.length === 0;
    fill(link, keys.length);
    link.hash = `s=${keys[0]}:${today()}&lang=${document.documentElement.lang}`;
  }

  /**
   * review is what the playground reviews now, too: see review in answers.go.
   * @param {{ key: string, day: number, due: number, state: string }[]} given
   */
  function review(given) {
    const now = today();
    const list = given.filter((a) => a.day < now)
      .sort((a, b) => Number(b.due <= now) - Number(a.due <= now) || Number(a.state === "right") - Number(b.state === "right") || a.due - b.due || (a.key < b.key ? -1 : 1));
    const due = list.filter((a) => a.due <= now).length;
    return due ? list.slice(0, Math.min(5, Math.max(3, due))).map((a) => a.key) : [];
  }

  const query = new URLSearchParams(location.search);
  search.value = query.get("q") ?? "";
  field.value = query.get("field") ?? "";
  sort.value = query.get("sort") ?? "";
  for (const select of [field, sort]) if (select.selectedIndex < 0) select.value = "";
  for (const input of [search, field, sort]) input.addEventListener("input", () => { filter(); keep(); });
  filter();
  keep();
  standing();
  addEventListener("pageshow", standing);
  addEventListener("hashchange", filter);
  $("filter").hidden = false;
})();
