// A photo of the deck, small enough to be sent.

const LARGE_BYTES = 2500000; // the server takes 3 MB
const ENOUGH_PX = 3200; // 80 cards are read in so many dots across
const QUALITY = 0.85;

// The photo as it is, or a smaller JPEG of it.
export async function shrunkPhoto(file) {
  if (file.size <= LARGE_BYTES) return file;
  const url = URL.createObjectURL(file);
  try {
    return await smallJpeg(await loadedImage(url));
  } finally {
    URL.revokeObjectURL(url);
  }
}

function loadedImage(url) {
  return new Promise((done, fail) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => fail(new Error("This file is no picture."));
    image.src = url;
  });
}

function smallJpeg(image) {
  const scale = Math.min(1, ENOUGH_PX / Math.max(image.naturalWidth, image.naturalHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => {
    const take = (blob) =>
      blob ? done(blob) : fail(new Error("The picture cannot be made smaller."));
    canvas.toBlob(take, "image/jpeg", QUALITY);
  });
}
