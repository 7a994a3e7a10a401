// @ts-check
// Plain data as a part of a link: JSON, packed, with characters that links may have. It stands behind `#`, so no
/**
 * server sees it.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 */
const flow = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** @param {unknown} value */
export async function packed(value) {
  const bytes = await flow(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * The data of a link; null if it is damaged.
 * @param {string} text
 * @returns {Promise<unknown>}
 */
export async function unpacked(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await flow(bytes, new DecompressionStream("deflate-raw"))));
  } catch {
    return null;
  }
}
