// @ts-check
// Keeps the playground usable offline. The build puts three constants before this text: the version, the files of the playground, each
// with a digest, and the words for a missing page.
//
// The page comes from the server whenever the network allows, so that links open the published version. Its files have the
// hash of their content in their names, so a cached file is always right. The pages for reading come
// from the server, too; the cache keeps visited pages.
"use strict";

const page = new URL("./", location.href).href;
// Caches belong to the whole origin, which may have another copy of the playground, and other programs.
const prefix = `rollplay ${page} `;
const cacheName = prefix + version;
const visited = `${prefix}visited`; // a cache that a new version keeps
const visitedMax = 200;
const reading = /^((s|scenarios|authors|fidelity|kubectl|schema|requests|measures|check|embed|posters|thumbs|motions)\/|[a-z]+-[A-Z2-7]{8}\.(css|js)$)/;
const names = new Set(files.map(([name]) => new URL(name, location.href).href));

addEventListener("install", (e) => e.waitUntil(keep()));
addEventListener("activate", (e) => e.waitUntil(forget()));
addEventListener("fetch", answer);
addEventListener("message", (e) => e.waitUntil(hear(e.data, e.source)));

// keep prefers the browser's own cache for a hashed file, because the page has just loaded it.
async function keep() {
  const cache = await caches.open(cacheName);
  await cache.addAll(files.map(([name, integrity]) => new Request(name, { integrity, cache: name === "./" ? "no-cache" : "default" })));
}

// forget deletes the caches of earlier versions of this site.
async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName && name !== visited);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** @param {FetchEvent} e */
function answer(e) {
  const { method, mode, url } = e.request;
  const at = new URL(url);
  const href = at.origin + at.pathname;
  if (method !== "GET") return;
  if (mode === "navigate" && (href === page || href === `${page}index.html`)) e.respondWith(open(e.request));
  else if (names.has(href)) e.respondWith(find(href).then((kept) => kept ?? fetch(e.request)));
  else if (href.startsWith(page) && reading.test(href.slice(page.length))) e.respondWith(read(e, href));
}

/**
 * read fetches a page for reading, or a file of such a page, and takes the cached copy if there is no answer.
 * @param {FetchEvent} e
 * @param {string} href
 */
async function read(e, href) {
  try {
    const published = await fetch(e.request);
    if (published.ok && !published.redirected) e.waitUntil(note(href, published.clone()).catch(() => {})); // the storage may be full
    return published;
  } catch {
    const kept = await caches.match(href, { cacheName: visited, ignoreVary: true }).catch(() => undefined);
    return kept ?? (e.request.mode === "navigate" ? missing() : Response.error());
  }
}

/**
 * note keeps the last visited pages.
 * @param {string} href
 * @param {Response} response
 */
async function note(href, response) {
  const cache = await caches.open(visited);
  await cache.put(href, response);
  const old = (await cache.keys()).slice(0, -visitedMax);
  await Promise.all(old.map((request) => cache.delete(request)));
}

// missing is the answer for a page that is not in the cache, because it was never visited.
function missing() {
  const lang = /^zh\b/i.test(navigator.language) ? "zh" : "en";
  const { title, text, link } = words[lang];
  const html = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1><p>${text}</p><p><a href="${page}">${link}</a></p>`;
  return new Response(html, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/**
 * open fetches the page, and takes the cached copy if there is no answer, an error, or a page whose files are missing: a new version whose
 * upload has not ended, or has failed.
 * @param {Request} request
 */
async function open(request) {
  const [kept, published] = await Promise.all([find(page), fetch(request).catch(() => undefined)]);
  if (!kept || published?.type === "opaqueredirect") return published ?? Response.error();
  return published?.ok && (await isWhole(published.clone())) ? published : kept;
}

/**
 * isWhole reports whether the files of a page can be loaded. The cache has the files of this version, so it requests only the files of
 * another version.
 * @param {Response} published
 */
async function isWhole(published) {
  const named = (await published.text()).match(/[a-z_]+-[A-Z2-7]{8}\.(json|js|css|wasm)/g) ?? [];
  const missing = [...new Set(named)].map((name) => new URL(name, page).href).filter((href) => !names.has(href));
  /** @param {string} href */
  const there = (href) => fetch(href, { method: "HEAD" }).then((response) => response.ok, () => false);
  return (await Promise.all(missing.map(there))).every(Boolean);
}

/**
 * find returns undefined if the browser's storage fails: then the network serves, as without a worker.
 * @param {string} url
 */
const find = (url) => caches.match(url, { cacheName, ignoreVary: true }).catch(() => undefined);

/**
 * hear receives messages of the page: its version, or that the person wants this version.
 * @param {"activate" | { page: string }} message
 * @param {ExtendableMessageEvent["source"]} from
 */
async function hear(message, from) {
  if (message === "activate") await skipWaiting();
  else if (message.page !== version) from?.postMessage("new version");
  else if (await alone()) await skipWaiting(); // the page is this version's already
}

const alone = async () => (await clients.matchAll({ type: "window", includeUncontrolled: true })).length < 2;
