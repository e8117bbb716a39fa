// @ts-check
// The pictures on the pages for reading play in place. Only a press loads one.
(() => {
  "use strict";
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-motion]"))) {
    const words = JSON.parse(figure.dataset.words ?? "");
    const still = /** @type {HTMLElement} */ (figure.firstElementChild);
    const start = Object.assign(document.createElement("button"), { type: "button", className: "button player-start", textContent: words.play });
    start.dataset.act = "play-here";
    start.addEventListener("click", async () => {
      start.disabled = true;
      try {
        const player = await window.rollplayPlayer(still, figure, figure.dataset.motion ?? "", words, "system");
        const focused = document.activeElement === start || document.activeElement === document.body;
        start.remove();
        player.play();
        if (focused) /** @type {HTMLElement} */ (figure.querySelector('[data-play="pause"]') ?? figure.querySelector("[data-play]"))?.focus();
      } catch (err) {
        start.disabled = false;
        start.textContent = words.failed;
        console.warn("rollplay:", err);
      }
    });
    figure.append(start);
  }
})();
