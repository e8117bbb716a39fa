// @ts-check
// Links: the fragment of the address, copying, and the QR code. The program reads and writes links (engine/link); this module uses the
// plain History API, and keeps go-app, which has its own idea of navigation, out of it.
import { $, around } from "./dom.js";

/** @type {import("./page").Report} */
let report = () => {};
let timer = 0;

const wait = 400; // ms after the last change
const strayPercent = /%(?![0-9A-Fa-f]{2})/g;

// fragment reads the address. go-app stops at a URL that Go cannot parse, so a % that escapes nothing is escaped itself,
// in the address too. This runs when the module is loaded, before the program, and before go-app handles a navigation.
export function fragment() {
  const hash = location.hash.replace(strayPercent, "%25");
  if (hash !== location.hash) history.replaceState(history.state, "", hash);
  return hash.slice(1);
}

let known = fragment(); // as the program has heard or set it
window.addEventListener("popstate", fragment);

/** @param {import("./page").Report} reporter */
export function mountLinks(reporter) {
  report = reporter;
  if (window.rollplay.embedded) return; // the page around owns the address
  window.addEventListener("hashchange", () => report("link", known = fragment()));
  document.addEventListener("click", followInPage, true);
  document.addEventListener("click", copy);
  document.addEventListener("click", sheet);
}

/**
 * followInPage keeps links within the page, and links to other pages of the site, from go-app. A link to a place moves the focus there
 * and leaves the address as it is; any other link opens a run or a page, which the browser follows. A lesson keeps the focus when its
 * link to the next lesson disappears.
 * @param {MouseEvent} event
 */
function followInPage(event) {
  const anchor = around(event, 'a[href^="#"], a[data-leave]');
  if (!anchor) return;
  event.stopPropagation();
  const lesson = anchor.closest("#lesson");
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey && lesson instanceof HTMLElement) lesson.focus();
  const place = anchor.dataset.leave ? null : document.getElementById(anchor.getAttribute("href")?.slice(1) ?? "");
  if (!place) return;
  event.preventDefault();
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView();
}

// addressSoon requests the address from the program a little later, once for all changes until then, and not during a drag of the
// cursor.
export function addressSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (document.querySelector('[data-act="scrub"]:active')) addressSoon();
    else report("address");
  }, wait);
}

/**
 * setAddress shows the run in the address, unless a link was followed that the program has not heard of yet.
 * @param {string} to
 */
export function setAddress(to) {
  if (window.rollplay.embedded || fragment() !== known) return;
  known = to;
  const page = location.pathname + location.search;
  history.replaceState(history.state, "", to === "" ? page : `${page}#${to}`);
}

export const pageURL = () => new URL(".", location.href).href;

/**
 * copy copies the field of a button, within the click: some browsers allow it only there.
 * @param {MouseEvent} event
 */
async function copy(event) {
  const button = around(event, '[data-act="share-copy"]');
  const field = document.getElementById(button?.dataset.value ?? "");
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  try {
    await navigator.clipboard.writeText(field.value);
    report("copied", field.id);
  } catch { // refused, or the page is not served securely
    field.focus();
    field.select();
    report("copied", (document.execCommand("copy") ? "" : "!") + field.id);
  }
}

export const canShare = () => typeof navigator.share === "function";

/**
 * sheet opens the system's own dialog with the link. Closing it without sharing is not a failure.
 * @param {MouseEvent} event
 */
function sheet(event) {
  const field = document.getElementById("share-url");
  if (!around(event, '[data-act="share-sheet"]') || !field) return;
  navigator.share({ title: $("title")?.textContent, url: /** @type {HTMLInputElement} */ (field).value }).catch(() => {});
}

/** @type {Record<string, string>} */
const drawn = {}; // by place

/**
 * drawQR draws the code of a text into its place, which does not exist for an empty text. The encoder loads with the first code.
 * @param {string} text
 * @param {string} place
 */
export async function drawQR(text, place) {
  drawn[place] = text;
  if (text === "") return;
  const { drawCode } = await import("./qr.js");
  const host = $(place);
  if (!host || drawn[place] !== text) return;
  const code = drawCode(text);
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", `0 0 ${code.size} ${code.size}`);
  svg.setAttribute("shape-rendering", "crispEdges");
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", code.path);
  svg.append(path);
  host.replaceChildren(svg);
}
