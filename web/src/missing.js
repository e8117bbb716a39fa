// @ts-check
// A part of the page that was not loaded: the page says which, and offers to try again.
import { $, element } from "./dom.js";
import { say } from "./words.js";

/**
 * @param {string} part
 * @param {import("./page").Report} report
 */
export function missing(part, report) {
  if ($("part-missing")) return;
  const notice = element("div", "page-notice", document.body, "part-missing");
  notice.setAttribute("role", "alert");
  const again = element("button", "button", null, "part-again");
  again.textContent = say("part-again");
  again.addEventListener("click", () => {
    report("hide");
    location.reload();
  });
  notice.append(say("part-missing", part), again);
}
