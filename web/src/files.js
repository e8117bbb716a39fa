// @ts-check
// Files become a document of their own: dropped on the page, or chosen in the menu. Several are joined to one stream of documents. Of a
// folder these are its manifests, as for kubectl apply -f. There is no need to confirm, because the earlier text stays in its draft.
const sizeMax = 2 << 20; // bytes of all texts: more than the program takes, so that it can report the size
const manifest = /\.(ya?ml|json)$/i;

/** @param {DragEvent} e */
const hasFiles = (e) => e.dataTransfer?.types.includes("Files");

/**
 * textOf reads a file, and fails if it is no text in UTF-8: an archive or a picture would be a page of nonsense.
 * @param {File} file
 * @param {number} most bytes
 */
async function textOf(file, most) {
  const bytes = await file.slice(0, most).arrayBuffer();
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: file.size > most });
  if (text.includes("\0")) throw new TypeError("binary");
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/**
 * filesIn returns a file, or the manifests of a folder in the order of their names.
 * @param {FileSystemEntry} entry
 * @returns {Promise<File[]>}
 */
async function filesIn(entry) {
  if (isFile(entry)) return [await new Promise((/** @type {(file: File) => void} */ done, fail) => entry.file(done, fail))];
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  for (;;) { // a reader returns a hundred at a time
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) break;
    all.push(...some.filter((e) => e.isFile && manifest.test(e.name)));
  }
  const files = await Promise.all(all.sort((a, b) => (a.name < b.name ? -1 : 1)).map(filesIn));
  if (files.length === 0) throw new TypeError("no manifests");
  return files.flat();
}

/**
 * @param {FileSystemEntry} entry
 * @returns {entry is FileSystemFileEntry}
 */
const isFile = (entry) => entry.isFile;

/**
 * mountFiles takes what opens a text, and what says that a file cannot be read.
 * @param {(text: string) => void} open
 * @param {(name: string) => void} refuse
 */
export function mountFiles(open, refuse) {
  /** @param {{ name: string, files: () => Promise<File[]> }[]} all */
  const read = async (all) => {
    const texts = [];
    let room = sizeMax;
    for (const { name, files } of all) {
      try {
        for (const file of await files()) {
          if (room > 0) texts.push(await textOf(file, room));
          room -= file.size;
        }
      } catch {
        refuse(name);
        return;
      }
    }
    if (texts.length) open(texts.join("---\n"));
  };
  document.addEventListener("dragover", (e) => { if (hasFiles(e)) e.preventDefault(); });
  document.addEventListener("drop", (e) => {
    if (!hasFiles(e)) return;
    e.preventDefault();
    e.stopPropagation(); // the editor would insert it
    // What was dropped can be looked at only now.
    const items = [...(e.dataTransfer?.items ?? [])].map((item) => ({ entry: item.webkitGetAsEntry?.(), file: item.getAsFile() }));
    read(items.flatMap(({ entry, file }) => {
      if (entry) return [{ name: entry.name, files: () => filesIn(entry) }];
      return file ? [{ name: file.name, files: async () => [file] }] : [];
    }));
  }, true);
  document.addEventListener("change", (e) => {
    const { target } = e;
    if (!(target instanceof HTMLInputElement) || target.dataset.act !== "file") return;
    read([...(target.files ?? [])].map((file) => ({ name: file.name, files: async () => [file] })));
    target.value = ""; // the same file again is a change
  });
}
