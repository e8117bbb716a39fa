// Files that a person takes along. The program has made their bytes; only a PNG is drawn here, from its SVG.

export function save(name, type, parts) {
  hand(name, new Blob(parts, { type }));
}

const scale = 2; // for screens with fine pixels

// The image's address is a data: URL, because the page's policy allows no other that is made here.
export async function savePicture(name, svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * scale;
  canvas.height = image.naturalHeight * scale;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => hand(name, blob), "image/png");
}

function hand(name, blob) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may ask where to put it first
}
