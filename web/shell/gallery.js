// Filters the gallery. Without this script the page lists all scenarios. The query of the address holds the search, so that
// people can share it, and the Back button restores it.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const search = $("search"), field = $("field"), found = $("found");
  const cards = [...$("gallery").children];
  const texts = cards.map((card) => `${card.dataset.name} ${card.textContent}`.toLowerCase());

  // matches says whether a card contains all the words, and the chosen field if there is one.
  function matches(i, words) {
    const fields = cards[i].dataset.fields.split(" ");
    return words.every((word) => texts[i].includes(word)) && (field.value === "" || fields.includes(field.value));
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    cards.forEach((card, i) => {
      card.hidden = !matches(i, words);
      if (!card.hidden) n++;
    });
    const counts = [n, cards.length];
    found.textContent = n === 0 ? found.dataset.none : found.dataset.some.replace(/%d/g, () => counts.shift());
  }

  function keep() {
    const query = new URLSearchParams();
    if (search.value.trim()) query.set("q", search.value.trim());
    if (field.value) query.set("field", field.value);
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
    // The other language shows the same choice of cards.
    for (const link of document.querySelectorAll("[data-act=language]")) link.search = query.size ? `?${query}` : "";
  }

  const query = new URLSearchParams(location.search);
  search.value = query.get("q") ?? "";
  field.value = query.get("field") ?? "";
  if (field.selectedIndex < 0) field.value = "";
  for (const input of [search, field]) input.addEventListener("input", () => { filter(); keep(); });
  filter();
  keep();
  $("filter").hidden = false;
})();
