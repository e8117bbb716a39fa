// memoryStorage replaces localStorage or sessionStorage where the browser blocks them, or where the page must not store
// anything. The build puts it before boot.js and embed.js.
function memoryStorage() {
  const items = new Map();
  return {
    get length() { return items.size; },
    key: (i) => [...items.keys()][i] ?? null,
    getItem: (k) => items.get(String(k)) ?? null,
    setItem: (k, v) => { items.set(String(k), String(v)); },
    removeItem: (k) => { items.delete(String(k)); },
    clear: () => items.clear(),
  };
}
