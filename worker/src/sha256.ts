/**
 * SHA-256 as lower-case hex. WebCrypto does the work; where a page is not served securely there is no
 * WebCrypto, and the same function (FIPS 180-4) is computed here, slower but with the same result.
 */

type Bytes = Uint8Array<ArrayBuffer>;

export async function sha256(bytes: Bytes): Promise<string> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return sha256Slow(bytes);
  return hex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
}

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** First 32 bits of the fractional part of a root of each of the first primes. */
function rootFractions(root: (prime: number) => number, count: number): Uint32Array {
  const fractions = new Uint32Array(count);
  for (let found = 0, candidate = 2; found < count; candidate++) {
    let isPrime = true;
    for (let d = 2; d * d <= candidate && isPrime; d++) isPrime = candidate % d !== 0;
    if (!isPrime) continue;
    const value = root(candidate);
    fractions[found++] = Math.floor((value - Math.floor(value)) * 2 ** 32);
  }
  return fractions;
}

export function sha256Slow(bytes: Bytes): string {
  const constants = rootFractions(Math.cbrt, 64);
  const state = rootFractions(Math.sqrt, 8);
  const words = new Uint32Array(64);
  // The message, a one bit, zeros, and its length in bits as a 64-bit number.
  const tail = new Uint8Array(((bytes.length + 9 + 63) & ~63) - (bytes.length & ~63));
  tail.set(bytes.subarray(bytes.length & ~63));
  tail[bytes.length & 63] = 0x80;
  const length = new DataView(tail.buffer);
  length.setUint32(tail.length - 8, Math.floor(bytes.length / 2 ** 29));
  length.setUint32(tail.length - 4, (bytes.length << 3) >>> 0);
  const whole = bytes.length & ~63;
  for (let at = 0; at < whole; at += 64) compress(bytes, at, state, words, constants);
  for (let at = 0; at < tail.length; at += 64) compress(tail, at, state, words, constants);
  const digest = new Uint8Array(32);
  const view = new DataView(digest.buffer);
  state.forEach((word, index) => {
    view.setUint32(index * 4, word);
  });
  return hex(digest);
}

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

function compress(
  bytes: Uint8Array,
  at: number,
  state: Uint32Array,
  words: Uint32Array,
  constants: Uint32Array,
): void {
  const w = words as unknown as number[];
  for (let i = 0; i < 16; i++) {
    const k = at + i * 4;
    const b = bytes as unknown as number[];
    w[i] =
      ((b[k] as number) << 24) |
      ((b[k + 1] as number) << 16) |
      ((b[k + 2] as number) << 8) |
      (b[k + 3] as number);
  }
  for (let i = 16; i < 64; i++) {
    const early = w[i - 15] as number;
    const late = w[i - 2] as number;
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const t1 =
      (h +
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
        choice +
        (constants[i] as number) +
        (w[i] as number)) |
      0;
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const after = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = ((state[i] as number) + (after[i] as number)) | 0;
}
