// Files become a text of their own: dropped on the page, or chosen in the menu. Several are joined to one stream of documents.
// Nobody is asked, because what was there stays in its draft.
const sizeMax = 2 << 20; // beyond what the program takes: it says so

const hasFiles = (e) => e.dataTransfer?.types.includes("Files");

export function mountFiles(open) {
  const read = async (files) => {
    if (files.length === 0) return;
    const texts = await Promise.all([...files].map((file) => file.slice(0, sizeMax).text()));
    open(texts.map((text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)).join("---\n"));
  };
  document.addEventListener("dragover", (e) => { if (hasFiles(e)) e.preventDefault(); });
  document.addEventListener("drop", (e) => {
    if (!hasFiles(e)) return;
    e.preventDefault();
    e.stopPropagation(); // the editor would insert it
    read(e.dataTransfer.files);
  }, true);
  document.addEventListener("change", (e) => {
    if (!e.target.matches?.('[data-act="file"]')) return;
    read(e.target.files);
    e.target.value = ""; // the same file again is a change
  });
}
