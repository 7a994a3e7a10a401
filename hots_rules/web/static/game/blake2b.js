// @ts-check
// BLAKE2b (RFC 7693) without a key, and the digests that the library makes with it. The browser has no such function,
// and its own ones are closed on pages without TLS.
const IV = [
  "6a09e667f3bcc908",
  "bb67ae8584caa73b",
  "3c6ef372fe94f82b",
  "a54ff53a5f1d36f1",
  "510e527fade682d1",
  "9b05688c2b3e6c1f",
  "1f83d9abfb41bd6b",
  "5be0cd19137e2179",
].map((word) => BigInt(`0x${word}`));
const ORDERS = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
  "0123456789abcdef",
  "ea489fd61c02b753",
].map((order) => [...order].map((digit) => parseInt(digit, 16)));
const COLUMNS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];
const BLOCK = 128;
const cut = (/** @type {bigint} */ word) => BigInt.asUintN(64, word);
/**
 * @param {bigint} word
 * @param {number} by
 */
const turn = (word, by) => cut((word >> BigInt(by)) | (word << BigInt(64 - by)));

/**
 * @param {readonly bigint[]} state
 * @param {Uint8Array} block
 * @param {number} count
 * @param {boolean} isLast
 */
function compress(state, block, count, isLast) {
  const view = new DataView(block.buffer, block.byteOffset, BLOCK);
  const message = Array.from({ length: 16 }, (_, i) => view.getBigUint64(8 * i, true));
  const v = [...state, ...IV];
  v[12] ^= BigInt(count);
  if (isLast) v[14] = cut(~v[14]);
  for (const order of ORDERS)
    COLUMNS.forEach(([a, b, c, d], i) => {
      v[a] = cut(v[a] + v[b] + message[order[2 * i]]);
      v[d] = turn(v[d] ^ v[a], 32);
      v[c] = cut(v[c] + v[d]);
      v[b] = turn(v[b] ^ v[c], 24);
      v[a] = cut(v[a] + v[b] + message[order[2 * i + 1]]);
      v[d] = turn(v[d] ^ v[a], 16);
      v[c] = cut(v[c] + v[d]);
      v[b] = turn(v[b] ^ v[c], 63);
    });
  return state.map((word, i) => word ^ v[i] ^ v[i + 8]);
}

/**
 * The digest of bytes, of 32 bytes, as hexadecimal digits.
 * @param {Uint8Array} data
 */
export function blake2b(data) {
  let state = IV.map((word, i) => (i === 0 ? word ^ 0x01010020n : word));
  const blocks = Math.max(Math.ceil(data.length / BLOCK), 1);
  for (let i = 0; i < blocks; i++) {
    const block = new Uint8Array(BLOCK);
    block.set(data.subarray(i * BLOCK, (i + 1) * BLOCK));
    const isLast = i === blocks - 1;
    state = compress(state, block, isLast ? data.length : (i + 1) * BLOCK, isLast);
  }
  const bytes = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => bytes.setBigUint64(8 * i, word, true));
  return [...new Uint8Array(bytes.buffer, 0, 32)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The digest of a list of texts, as `hots_rules.records` makes it: each with its length in 8 bytes.
 * @param {readonly string[]} parts
 */
export function digest(parts) {
  const chunks = parts.flatMap((part) => {
    const text = new TextEncoder().encode(part);
    const length = new DataView(new ArrayBuffer(8));
    length.setBigUint64(0, BigInt(text.length));
    return [...new Uint8Array(length.buffer), ...text];
  });
  return blake2b(new Uint8Array(chunks));
}
