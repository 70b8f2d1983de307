/**
 * A query as the kernels read it (assembly/scan.ts): int8 coordinates, one scale a token, in the order in which
 * codes are decoded. Rounding costs at most half of 1/127 of a token's largest coordinate.
 */

/** Bytes of a coordinate in the kernels' layout. */
export type QueryBytes = 1 | 2;

export interface LaidOut {
  /** What a row of zeros (level 64) gives with each token. */
  zeros: Int32Array;
  /** What one unit of each token's int8 is worth; 0 for the tokens that fill a group up. */
  scales: Float32Array;
}

const ZERO_LEVEL = 64;

/** Where coordinate `i` stands among the decoded ones: in blocks of 32, the even before the odd. */
function place(i: number): number {
  return (i & ~31) | ((i & 1) << 4) | ((i & 31) >> 1);
}

/**
 * Lay tokens [n, dim] out at `offset` of the memory, `together` (1 or 8) a group: for each 32 bits of
 * decoded coordinates those of a group's tokens side by side. What `stride` holds beyond `dim` is 0.
 */
export function layOut(
  tokens: Float32Array,
  dim: number,
  stride: number,
  bytes: QueryBytes,
  together: 1 | 8,
  memory: ArrayBuffer,
  offset: number,
): LaidOut {
  const count = tokens.length / dim;
  const padded = Math.ceil(count / together) * together;
  const width = 2 * stride;
  const size = padded * width;
  const out = bytes === 1 ? new Int8Array(memory, offset, size) : new Int16Array(memory, offset, size);
  out.fill(0);
  const zeros = new Int32Array(padded);
  const scales = new Float32Array(padded);
  const each = 4 / bytes; // coordinates in 32 bits
  for (let token = 0; token < count; token++) {
    const row = tokens.subarray(token * dim, (token + 1) * dim);
    let largest = 0;
    for (const value of row) largest = Math.max(largest, Math.abs(value));
    if (!largest) continue;
    const base = (token - (token % together)) * width + (token % together) * each;
    let sum = 0;
    for (let i = 0; i < dim; i++) {
      const value = Math.round(((row[i] as number) / largest) * 127);
      const at = place(i);
      out[base + (at - (at % each)) * together + (at % each)] = value;
      sum += value;
    }
    zeros[token] = ZERO_LEVEL * sum;
    scales[token] = largest / 127;
  }
  return { zeros, scales };
}
