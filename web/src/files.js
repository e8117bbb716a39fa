// @ts-check
// Files become a document of their own: dropped on the page, or chosen in the menu. Several are joined to one stream of documents.
// There is no need to confirm, because the earlier text stays in its draft.
const sizeMax = 2 << 20; // more than the program takes, so that it can report the size

/** @param {DragEvent} e */
const hasFiles = (e) => e.dataTransfer?.types.includes("Files");

/** @param {(text: string) => void} open */
export function mountFiles(open) {
  /** @param {FileList | null | undefined} files */
  const read = async (files) => {
    if (!files?.length) return;
    const texts = await Promise.all([...files].map((file) => file.slice(0, sizeMax).text()));
    open(texts.map((text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)).join("---\n"));
  };
  document.addEventListener("dragover", (e) => { if (hasFiles(e)) e.preventDefault(); });
  document.addEventListener("drop", (e) => {
    if (!hasFiles(e)) return;
    e.preventDefault();
    e.stopPropagation(); // the editor would insert it
    read(e.dataTransfer?.files);
  }, true);
  document.addEventListener("change", (e) => {
    const { target } = e;
    if (!(target instanceof HTMLInputElement) || target.dataset.act !== "file") return;
    read(target.files);
    target.value = ""; // the same file again is a change
  });
}
