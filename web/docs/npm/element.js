// @ts-check
// Loads the script that defines <rollplay-embed>. It comes from the site that runs the simulation, so that both have the same version.

/** options are the attributes of <rollplay-embed> that say how a run is shown. */
export const options = ["autoplay", "height", "lang", "layout", "panels", "picture", "poster", "sandbox", "speed", "theme", "title"];

/**
 * load adds the script to the page, once. It does nothing on a server.
 * @param {string} site
 * @param {{ integrity?: string }} [options]
 */
export function load(site, { integrity } = {}) {
  if (typeof document === "undefined" || customElements.get("rollplay-embed")) return;
  const src = new URL("embed/v1/host.js", site).href;
  if ([...document.scripts].some((script) => script.src === src)) return;
  const script = Object.assign(document.createElement("script"), { async: true, src });
  if (integrity) Object.assign(script, { integrity, crossOrigin: "anonymous" });
  document.head.append(script);
}
