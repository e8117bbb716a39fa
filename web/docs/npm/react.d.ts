import type { ComponentType, ReactNode } from "react";
import type { RollplayOptions } from "./element.js";

/** Returns a component for embeds from a site. */
export function rollplay(site: string, settings?: { integrity?: string }): ComponentType<RollplayOptions & { children?: ReactNode }>;
