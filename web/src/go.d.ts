// Generated from app/browser: go test ./app/browser -run ScriptTypes -update

/** A text that holds a value as JSON. */
export type Json<T> = string & { readonly holds?: T };

/** The functions of window.rollplay that the program calls by their names. */
export interface Calls {
  addressSoon(): void;
  callout(text: string, onwards: string, asks: boolean, hidden: number): void;
  canShare(): boolean;
  chart(all: {
    option: string;
    ids: string;
    lines: Float64Array<ArrayBuffer>;
    end: number;
    from: number;
    to: number;
    key: number;
    count: Json<Axis>;
    marks: Json<Mark[] | null>;
    syncs: Float64Array<ArrayBuffer>;
  }): void;
  closeDialog(id: string): void;
  closeMenus(): void;
  cursor(t: number, end: number, pace: number, tText: string, endText: string): void;
  dialogOpen(id: string): boolean;
  drawQR(text: string, place: string): void;
  embedOptions(): string;
  endWorkers(): void;
  flushEditor(): void;
  focusEditor(): void;
  focusOn(selector: string): void;
  focusTerminal(): void;
  forgets(): boolean;
  fragment(): string;
  frames(on: boolean): void;
  giveWorkers(id: number, task: string, missing: Json<number[] | null>): void;
  gotoLine(line: number, column: number): void;
  hold(value: string): void;
  holdDraft(id: string): void;
  keepInView(): void;
  keys(): string;
  language(): string;
  later(nextTurn: () => void): void;
  listen(all: {
    report: (action: string, value: string) => void;
    frame: (dt: number) => void;
    state: () => unknown;
    describe: (record: number) => string | null;
    ask: (what: string, value: string) => string | null;
    chart: (what: string, value: string) => string | null;
  }): void;
  load(key: string): string;
  loadTab(key: string): string;
  loop(a: number, b: number, state: number): void;
  mount(name: string, element: HTMLElement, states: Json<string[] | null>): void;
  mountChart(element: HTMLElement): void;
  newId(): string;
  notes(notes: Json<Note[] | null>): void;
  openDialog(id: string): void;
  openDrafts(): string;
  opened(): void;
  pageURL(): string;
  playground(fragment: string): void;
  podCard(card: string): void;
  pods(groups: string | null, rows: string | null, states: Uint8Array<ArrayBuffer>): void;
  present(on: boolean): void;
  reducedMotion(): boolean;
  remove(key: string): void;
  reveal(selector: string): void;
  save(name: string, mime: string, whole: Uint8Array<ArrayBuffer>[]): void;
  savePicture(name: string, svg: string): void;
  setAddress(fragment: string): void;
  setDiagnostics(diags: Json<unknown>): void;
  setEditorText(text: string): void;
  setTheme(theme: string): void;
  showChart(): void;
  showLang(tag: string, words: Json<unknown>): void;
  showTheme(theme: string): void;
  sound(): boolean;
  startWorkers(limit: number): void;
  store(key: string, value: string): boolean;
  storeHeld(key: string): boolean;
  storeTab(key: string, value: string): void;
  strips(rows: Json<unknown>): void;
  terminal(keep: number, lines: string, prompt: string | null): void;
  tick(t: number, end: number, playing: boolean, atEnd: boolean, desired: number, total: number, available: number, updated: number, terminating: number): void;
  wide(): boolean;
  zoom(how: string): void;
}

export interface Axis {
  Max: number;
  Step: number;
}

export interface Diagnostic {
  document: number;
  line: number;
  column: number;
  endColumn: number;
  field?: string;
  message: string;
  warning?: boolean;
}

export interface DotStretch {
  pod: string;
  from: number;
  to: number;
  kind: string;
}

export interface LifePart {
  from: number;
  to: number;
  state: string;
  title: string;
}

export interface Mark {
  kind: string;
  t: number;
  to: number;
  line: string;
  failed: boolean;
}

export interface Note {
  kind: string;
  text: string;
  id?: string;
  color?: string;
  x: number;
  y: number;
  w: number;
}

export interface PodCard {
  key: string;
  name: string;
  state: string;
  facts: string;
  rank: string;
  life: LifePart[] | null;
  record: number;
  delete: string;
  crash: string;
  fail: string;
  restore: string;
}

export interface PodGroup {
  id: string;
  title: string;
  swatch: string;
  count: string;
  hint: string;
  size: number;
  numbered: number;
}

export interface PromptState {
  running: string;
  waiting: number;
  history: string[] | null;
}

export interface RequestDots {
  rate: number;
  stretches: DotStretch[] | null;
}

export interface Small {
  workload: string;
  top: number;
  upper: number[] | null;
  lower: number[] | null;
  total: number[] | null;
  available: number[] | null;
}

export interface Strip {
  name: string;
  title: string;
  label: string;
  segments: StripSegment[] | null;
  lane: boolean;
  requests: boolean;
  dots?: RequestDots;
  chart?: Small;
}

export interface StripSegment {
  from: number;
  to: number;
  record: number;
  kind: string;
  text: string;
  title: string;
  color: number;
  mix: string;
}
