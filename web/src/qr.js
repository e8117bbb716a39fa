// @ts-check
// A module of its own, so it loads only when somebody shares.
import { encode } from "uqr";

/**
 * drawCode returns the size of a text's code in modules, with its border, and the path of its dark modules.
 * @param {string} text
 */
export function drawCode(text) {
  const { size, data } = encode(text, { ecc: text.length > 400 ? "L" : "M", border: 4 });
  return { size, path: data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("") };
}
