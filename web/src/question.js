// @ts-check
// The answer to a question as a level on the chart. People drag it like an edge of the bands; it moves with the question's slider,
// which is there for keys and screen readers. CSS shows it while a question has a slider.
import { $, element } from "./dom.js";
import { hover } from "./hover.js";
import { perPod, size } from "./plot.js";

/** @type {HTMLElement} */
let level;
/** @type {HTMLElement} */
let grip;

const slider = () => /** @type {HTMLInputElement | null} */ ($("bet-guess"));

let answered = false; // and how it went is not shown yet

/** @param {HTMLElement} plot */
export function mountQuestion(plot) {
  document.addEventListener("click", ({ target }) => { answered ||= target instanceof Element && target.closest(".bet button") !== null; }, true);
  level = element("div", "edge guess", plot, "guess");
  level.setAttribute("aria-hidden", "true");
  grip = element("span", "edge-grip", level);
  level.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    e.preventDefault();
    level.setPointerCapture(e.pointerId);
    level.classList.add("dragged");
    drag(e, plot);
  });
  level.addEventListener("pointermove", (e) => {
    e.stopPropagation();
    hover(null);
    if (level.hasPointerCapture(e.pointerId)) drag(e, plot);
  });
  for (const end of ["pointerup", "pointercancel"]) level.addEventListener(end, () => level.classList.remove("dragged"));
  new ResizeObserver(placeQuestion).observe(level); // it has no size without a question
  new MutationObserver(placeQuestion).observe(document.body, { subtree: true, attributeFilter: ["data-guess"] });
}

/**
 * @param {PointerEvent} e
 * @param {HTMLElement} plot
 */
function drag(e, plot) {
  const pods = Math.round((plot.getBoundingClientRect().bottom - e.clientY) / perPod());
  const answer = slider();
  if (!answer) return;
  answer.value = String(Math.min(pods, Math.floor(size.h / perPod()))); // the browser keeps to the slider's own ends
  answer.dispatchEvent(new Event("input", { bubbles: true }));
  placeQuestion();
}

// placeQuestion puts the level at the slider's value, and at the chart's upper edge if that is above the chart.
export function placeQuestion() {
  const answer = slider();
  if (!answer) return;
  grip.textContent = `⇕ ${answer.value}`;
  level.style.bottom = `${Math.min(Number(answer.value) * perPod(), size.h)}px`;
}

// focusResult moves the focus to how an answer went, once that is shown: the button that had it is gone. A reader who has moved on stays there.
export function focusResult() {
  if (!answered) return;
  const told = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".lesson-told")]).find((e) => e.textContent && e.checkVisibility());
  if (!told) return;
  answered = false;
  const now = document.activeElement;
  if (now === document.body || now?.closest(".lesson, .embed-waits")) told.focus({ preventScroll: true });
}
