// memoryStorage stands in for localStorage or sessionStorage where the browser refuses them, or where nothing may be kept.
// The build puts it in front of boot.js and of embed.js.
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
