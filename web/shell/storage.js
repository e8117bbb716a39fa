// @ts-check
// The build puts this before boot.js and embed.js.

/**
 * memoryStorage replaces localStorage or sessionStorage where the browser blocks them, or where the page must not store anything.
 * @returns {Storage}
 */
function memoryStorage() {
  /** @type {Map<string, string>} */
  const items = new Map();
  return {
    forgets: true,
    get length() { return items.size; },
    key: (i) => [...items.keys()][i] ?? null,
    getItem: (k) => items.get(String(k)) ?? null,
    setItem: (k, v) => { items.set(String(k), String(v)); },
    removeItem: (k) => { items.delete(String(k)); },
    clear: () => items.clear(),
  };
}

/**
 * patientStorage passes everything on to a storage that may fail at any time: because it is full, or because the browser takes it away.
 * Then it is empty, and keeps nothing. go-app stops when a storage throws.
 * @param {Storage} storage
 * @returns {Storage}
 */
function patientStorage(storage) {
  /**
   * @template T
   * @param {() => T} act
   * @param {T} otherwise
   */
  const attempt = (act, otherwise) => {
    try {
      return act();
    } catch {
      return otherwise;
    }
  };
  return {
    get length() { return attempt(() => storage.length, 0); },
    key: (i) => attempt(() => storage.key(i), null),
    getItem: (k) => attempt(() => storage.getItem(k), null),
    setItem: (k, v) => attempt(() => storage.setItem(k, v), undefined),
    removeItem: (k) => attempt(() => storage.removeItem(k), undefined),
    clear: () => attempt(() => storage.clear(), undefined),
  };
}
