/** What <rollplay-embed> takes. One of scenario, src and yaml names the run. */
export interface RollplayOptions {
  /** A scenario that ships with rollplay, by its name. */
  scenario?: string;
  /** A link from the playground. */
  src?: string;
  /** Manifests, or a scenario. */
  yaml?: string;
  autoplay?: boolean;
  /** The first height in pixels; with layout "compact" the only one. */
  height?: number | string;
  lang?: string;
  layout?: "compact";
  /** Names of panels, separated by commas. */
  panels?: string;
  /** The address of a picture of the run, as rollplay poster draws it; that for dark pages, NAME-dark.svg, lies beside it. */
  picture?: string;
  /** The scenario whose picture is shown. */
  poster?: string;
  sandbox?: string;
  speed?: number | string;
  theme?: "light" | "dark" | "auto";
  title?: string;
}

/** The element, once the script of the site has defined it. */
export interface RollplayElement extends HTMLElement {
  load(fragment: string): void;
  play(): void;
  pause(): void;
  seek(ms: number): void;
}

export const options: string[];

/** Adds the site's script to the page, once. site is where the playground lies, with a slash at its end. */
export function load(site: string, options?: { integrity?: string }): void;

declare global {
  interface HTMLElementTagNameMap {
    "rollplay-embed": RollplayElement;
  }
}
