// @ts-check
// Which drafts other tabs have open. A tab holds a shared lock for its own draft, which the browser takes back whenever the tab goes.
const prefix = "rollplay/draft/";
const channel = "BroadcastChannel" in window ? new BroadcastChannel(prefix) : null; // for the others, when locks have changed
let mine = "";
let release = () => {};
let open = "";

/** @param {string} id of the draft that this tab has open, empty for none */
export function holdDraft(id) {
  if (id === mine || !navigator.locks) return; // not there without https
  mine = id;
  release();
  if (id === "") return;
  const kept = new Promise((/** @type {(value: void) => void} */ done) => { release = done; });
  lock(id, kept).catch(() => {}); // refused to a frame without an origin
}

/** @param {string} id @param {Promise<void>} kept until when */
async function lock(id, kept) {
  const tell = () => { channel?.postMessage(""); lookAgain(); };
  await navigator.locks.request(prefix + id, { mode: "shared" }, () => { tell(); return kept; });
  tell();
}

async function look() {
  const { held = [] } = await (navigator.locks?.query() ?? {});
  open = held.map(({ name = "" }) => name).filter((name) => name.startsWith(prefix) && name !== prefix + mine).map((name) => name.slice(prefix.length)).join("\n");
}

const lookAgain = () => { look().catch(() => {}); };
channel?.addEventListener("message", lookAgain);
lookAgain();

// openDrafts lists their ids in lines, as they were a moment ago: locks do not answer at once.
export function openDrafts() {
  lookAgain();
  return open;
}
