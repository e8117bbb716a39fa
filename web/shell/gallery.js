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
    for (const chapter of chapters) chapter.hidden = !chapter.querySelector("li:not([hidden])");
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

  // tick marks the lessons that were finished in the playground, which keeps their names.
  function tick() {
    /** @type {string[]} */
    let names = [];
    try { names = (localStorage.getItem("rollplay/progress") ?? "").split(" "); } catch { /* storage is refused */ }
    for (const card of cards) {
      const learned = names.includes(card.dataset.name ?? ""), title = card.querySelector("strong");
      card.classList.toggle("learned", learned);
      if (!title) continue;
      title.title = (learned && gallery.dataset.learned) || "";
      title.ariaLabel = learned ? `${title.textContent} (${gallery.dataset.learned})` : null;
    }
    for (const chapter of chapters) {
      const all = chapter.querySelectorAll("li"), done = chapter.querySelectorAll("li.learned");
      const count = chapter.querySelector("h2 small");
      if (count) count.textContent = done.length ? `${done.length}/${all.length}` : "";
    }
  }

  const query = new URLSearchParams(location.search);
  search.value = query.get("q") ?? "";
  field.value = query.get("field") ?? "";
  sort.value = query.get("sort") ?? "";
  for (const select of [field, sort]) if (select.selectedIndex < 0) select.value = "";
  for (const input of [search, field, sort]) input.addEventListener("input", () => { filter(); keep(); });
  filter();
  keep();
  tick();
  addEventListener("pageshow", tick);
  $("filter").hidden = false;
})();
