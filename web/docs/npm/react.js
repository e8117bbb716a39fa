// The React component. The element keeps its frame in a shadow root, so React finds the page as it rendered it.
import { createElement, useEffect } from "react";
import { load } from "./element.js";

/** rollplay returns a component for embeds from a site, whose script it loads after the page is hydrated. */
export function rollplay(site, settings) {
  return function Rollplay({ children, ...props }) {
    useEffect(() => load(site, settings), []);
    return createElement("rollplay-embed", props, children ?? instead(site, props));
  };
}

// instead is what readers see until the embed is there, and without JavaScript.
function instead(site, { scenario, src, yaml, title }) {
  if (yaml) return createElement("pre", null, createElement("code", null, yaml));
  const href = scenario ? new URL(`#s=${scenario}`, site).href : src;
  const name = title ?? scenario ?? "A Kubernetes rollout";
  if (!scenario) return createElement("a", { href }, name);
  const picture = new URL(`posters/${scenario}-light.svg`, site).href;
  return createElement("a", { href }, createElement("img", { src: picture, alt: name, width: 720, height: 378 }));
}
