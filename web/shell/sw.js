// Keeps the playground usable offline. The build puts the version and the files of the first load, each with a digest, before
// this text.
//
// The page comes from the server whenever the network allows, so that links open the published version. Its files have the
// hash of their content in their names, so the cached ones are always right. The worker ignores all other pages of the site.
"use strict";

const page = new URL("./", location).href;
// Caches belong to the whole origin, which may have another copy of the playground, and other programs.
const prefix = `rollplay ${page} `;
const cacheName = prefix + version;
const names = new Set(files.map(([name]) => new URL(name, location).href));

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
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}

function answer(e) {
  const { method, mode, url } = e.request;
  const at = new URL(url);
  const href = at.origin + at.pathname;
  if (method !== "GET") return;
  if (mode === "navigate") {
    if (href === page || href === `${page}index.html`) e.respondWith(fetch(e.request).catch(() => find(page)));
  } else if (names.has(href)) {
    e.respondWith(find(href).then((kept) => kept ?? fetch(e.request)));
  }
}

const find = (url) => caches.match(url, { cacheName, ignoreVary: true });

// hear receives messages of the page: its version, or that the person wants this one.
async function hear(message, from) {
  if (message === "activate") await skipWaiting();
  else if (message.page !== version) from.postMessage("new version");
  else if (await alone()) await skipWaiting(); // the page is this version's already
}

const alone = async () => (await clients.matchAll({ type: "window", includeUncontrolled: true })).length < 2;
