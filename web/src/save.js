// @ts-check
// Files for the person to download. The program makes their bytes; only a PNG is drawn here, from its SVG.

/**
 * @param {string} name
 * @param {string} type
 * @param {BlobPart[]} parts
 */
export function save(name, type, parts) {
  hand(name, new Blob(parts, { type }));
}

const scale = 2; // for screens with fine pixels

/**
 * savePicture draws an SVG. The image's address is a data: URL, because the page's policy allows no other address made by a script.
 * @param {string} name
 * @param {string} svg
 */
export async function savePicture(name, svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * scale;
  canvas.height = image.naturalHeight * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => { if (blob) hand(name, blob); }, "image/png");
}

/**
 * @param {string} name
 * @param {Blob} blob
 */
function hand(name, blob) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may ask where to put it first
}
