// What the scripts of the page share: the functions that the program calls (go.d.ts), those for tests, and the globals by which the
// scripts of web/shell and the modules of web/src find one another.
import type { Calls } from "./go";

/** Tells the program what happened. */
export type Report = (action: string, value?: string | number) => void;

/** Asks the program for an answer at once. The answer is null while the program is at work. */
export type Query = (what: string, value: string) => string | null;

export interface Span {
  from: number;
  to: number;
}

/** window.rollplay: what the program calls, and what tests and the curious may call. */
export interface Page extends Calls {
  readonly ready: Promise<void>;
  readonly editorReady: Promise<void>;
  readonly embedded: boolean;
  state(): unknown;
  seek(ms: number): void;
  span(): Span;
  chartOption(): Promise<unknown>;
  getText(): string;
  setText(text: string): Promise<void>;
}

/** A player of a picture in motion: web/shell/player.js. */
interface Player {
  play(): void;
  pause(): void;
  look(theme: string): void;
  now(): { t: number, playing: boolean, touched: boolean };
}

/** The page of a first visit until the program is there: web/src/first.js. */
export interface First {
  stop(): { t: number, playing: boolean, touched: boolean };
  leave(report: Report): void;
}

/** window.rollplayEmbed: the script of an embed, which handles the messages of the page around. */
export interface EmbedScript {
  speak(tag: string): void;
  options(): string;
  post(type: string, fields?: object): void;
  open(fragment: string): void;
  started(deliver: (type: string, value: string | number) => void): void;
}

declare global {
  interface Window {
    rollplay: Page;
    rollplayEmbed?: EmbedScript;
    rollplayModules?: Promise<unknown>;
    rollplayPlayer: {
      (still: HTMLElement, figure: HTMLElement, picture: string | Promise<SVGSVGElement>, words: any, theme: string): Promise<Player>;
      fetch(address: string): Promise<SVGSVGElement>;
    };
    rollplayArrived?: (report: Report) => void;
    rollplayMounted?: () => void;
    rollplayOpened?: () => void;
    rollplayProgram?: { module: WebAssembly.Module; worker: string | undefined };
    rollplayTexts: { all: Record<string, string> | null; load(): Promise<void> };
    rollplayWords?: Record<string, string>;
    goappGetenv: (name: string) => string;
  }
  interface Storage {
    /** Of a storage in memory: it lasts until the page is closed. */
    forgets?: boolean;
  }
}
