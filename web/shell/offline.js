// @ts-check
// Starts the service worker that keeps the playground usable offline, and offers a newer version when there is one. The newer
// version waits until the person accepts it, or until the last tab of the older one closes.

/** @param {string} version of the page */
export async function keep(version) {
  const { serviceWorker } = navigator; // undefined on an insecure connection
  if (!serviceWorker) return;
  serviceWorker.addEventListener("message", (e) => {
    if (e.data === "new version" && e.source instanceof ServiceWorker) offer(e.source);
  });
  serviceWorker.startMessages();
  const registration = await serviceWorker.register("sw.js");
  /**
   * follow greets a worker that is ready: it compares its version with the page's. They are equal if this page is newer than the worker
   * that runs.
   * @param {ServiceWorker} worker
   */
  const follow = (worker) => {
    const greet = () => worker.state === "installed" && worker.postMessage({ page: version });
    worker.addEventListener("statechange", greet);
    greet();
  };
  for (const worker of [registration.waiting, registration.installing]) if (worker) follow(worker);
  registration.addEventListener("updatefound", () => { if (registration.installing) follow(registration.installing); });
  // The browser looks for a newer worker by itself, but only some time after the page has loaded. A tab may stay open for weeks, so the
  // page also looks when somebody comes back to it. Without a connection there is no answer.
  const look = () => document.hidden || registration.update().catch(() => {});
  document.addEventListener("visibilitychange", look);
  if (registration.active) look();
}

/** @type {ServiceWorker} */
let newest; // the worker to reload for

/** @param {ServiceWorker} worker */
function offer(worker) {
  newest = worker;
  if (document.querySelector('[data-act="new-version"]')) return;
  const notice = document.createElement("div");
  notice.dataset.act = "new-version";
  notice.setAttribute("role", "status");
  notice.append("A new version is ready.", button("new-version-reload", "Reload", take), button("new-version-later", "Later", () => notice.remove()));
  document.body.append(notice);
}

/**
 * @param {string} act
 * @param {string} text
 * @param {() => void} click
 */
function button(act, text, click) {
  const el = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: text });
  el.dataset.act = act;
  el.addEventListener("click", click);
  return el;
}

// take lets the newer worker take over, then reloads the page, which keeps the person's work.
function take() {
  const reload = () => newest.state === "activated" && location.reload();
  newest.addEventListener("statechange", reload);
  newest.postMessage("activate");
  reload();
}
