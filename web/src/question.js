// The answer to a question as a level on the chart: it is dragged as an edge of the bands is, and moves with the question's slider,
// which keys and screen readers have. CSS shows it while a question has a slider.
import { $, element } from "./dom.js";
import { hover } from "./hover.js";
import { perPod, size } from "./plot.js";

let level, grip;

export function mountQuestion(plot) {
  level = element("div", "edge guess", plot, "guess");
  level.setAttribute("aria-hidden", "true");
  grip = element("span", "edge-grip", level);
  level.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    e.preventDefault();
    level.setPointerCapture(e.pointerId);
    level.classList.add("dragged");
    drag(e);
  });
  level.addEventListener("pointermove", (e) => {
    e.stopPropagation();
    hover(null);
    if (level.hasPointerCapture(e.pointerId)) drag(e);
  });
  for (const end of ["pointerup", "pointercancel"]) level.addEventListener(end, () => level.classList.remove("dragged"));
  new ResizeObserver(placeQuestion).observe(level); // it has no size without a question
  new MutationObserver(placeQuestion).observe(document.body, { subtree: true, attributeFilter: ["data-guess"] });
}

function drag(e) {
  const slider = $("bet-guess");
  const pods = Math.round((level.parentElement.getBoundingClientRect().bottom - e.clientY) / perPod());
  slider.value = Math.min(pods, Math.floor(size.h / perPod())); // the browser keeps to the slider's own ends
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  placeQuestion();
}

// placeQuestion puts the level where the slider is, at the chart's upper edge for what lies above.
export function placeQuestion() {
  const slider = $("bet-guess");
  if (!slider) return;
  grip.textContent = `⇕ ${slider.value}`;
  level.style.bottom = `${Math.min(slider.value * perPod(), size.h)}px`;
}
