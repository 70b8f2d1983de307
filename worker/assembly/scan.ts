/**
 * The scans over 4-bit codes, in AssemblyScript: how `npm run scan` makes src/scan/kernels.ts.
 *
 * Codes stay packed, two a byte; a table look-up (swizzle) turns sixteen of them into levels 0 to 127, 64 for
 * zero, in one instruction, so a scan reads half a byte a coordinate. A query is int8. Products are integers, the
 * same in both builds: with relaxed SIMD one instruction multiplies and adds sixteen bytes; without it the
 * levels are widened and one does eight.
 *
 * Decoded coordinates come in blocks of 32: those of the low nibbles (the even ones), then those of the high.
 * Queries are laid out by src/scan/queries.ts in the same order.
 */

/** Bytes of one query coordinate: int8, or int16 in the build without relaxed SIMD. */
export const QUERY_BYTES: i32 = ASC_FEATURE_RELAXED_SIMD ? 1 : 2;

function low(packed: v128): v128 {
  return v128.and(packed, i8x16.splat(15));
}

function high(packed: v128): v128 {
  return v128.and(i16x8.shr_u(packed, 4), i8x16.splat(15));
}

function look(levels: v128, codes: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i8x16.relaxed_swizzle(levels, codes);
  return i8x16.swizzle(levels, codes);
}

/** Sixteen bytes of a query and of levels; without relaxed SIMD eight int16 of each. */
function dot(query: v128, levels: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_dot_i8x16_i7x16_add_s(query, levels, sum);
  return i32x4.add(sum, i32x4.dot_i16x8_s(query, levels));
}

/** `dot` of sixteen levels and the sixteen query coordinates at `query`. */
function dot16(query: usize, levels: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return dot(v128.load(query), levels, sum);
  sum = dot(v128.load(query), i16x8.extend_low_i8x16_u(levels), sum);
  return dot(v128.load(query, 16), i16x8.extend_high_i8x16_u(levels), sum);
}

/** Each row's lanes added up: [a, b, c, d]. */
function totals(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(
    i8x16.shuffle(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
    i8x16.shuffle(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31),
  );
  const cd = i32x4.add(
    i8x16.shuffle(c, d, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
    i8x16.shuffle(c, d, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31),
  );
  return i32x4.add(
    i8x16.shuffle(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
    i8x16.shuffle(ab, cd, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31),
  );
}

/**
 * Inner products of one query with `rows` rows, four at a time: (sum - zero) * worth * scale, float32.
 * `codes` lie row after row, `stride` bytes each, a multiple of 16; rows, worths and `out` reach to a multiple of 4.
 * `zero` is what a row of zeros would give.
 */
export function dense(
  levels: usize,
  codes: usize,
  stride: usize,
  rows: i32,
  worths: usize,
  query: usize,
  zero: i32,
  scale: f32,
  out: usize,
): void {
  const table = v128.load(levels);
  for (let row = 0; row < rows; row += 4, worths += 16, out += 16) {
    let a = i32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let at = query;
    for (const end = codes + stride; codes < end; codes += 16, at += 32 * QUERY_BYTES) {
      const odd = at + 16 * QUERY_BYTES;
      let packed = v128.load(codes);
      a = dot16(odd, look(table, high(packed)), dot16(at, look(table, low(packed)), a));
      packed = v128.load(codes + stride);
      b = dot16(odd, look(table, high(packed)), dot16(at, look(table, low(packed)), b));
      packed = v128.load(codes + 2 * stride);
      c = dot16(odd, look(table, high(packed)), dot16(at, look(table, low(packed)), c));
      packed = v128.load(codes + 3 * stride);
      d = dot16(odd, look(table, high(packed)), dot16(at, look(table, low(packed)), d));
    }
    codes += 3 * stride;
    const sums = i32x4.sub(totals(a, b, c, d), i32x4.splat(zero));
    const worth = f32x4.mul(v128.load(worths), f32x4.splat(scale));
    v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(sums), worth));
  }
}

/** Sixteen levels, as wide as a query coordinate. */
function keep(to: usize, levels: v128): void {
  if (ASC_FEATURE_RELAXED_SIMD) {
    v128.store(to, levels);
  } else {
    v128.store(to, i16x8.extend_low_i8x16_u(levels));
    v128.store(to, i16x8.extend_high_i8x16_u(levels), 16);
  }
}

/** The larger of the best so far and a token's products. */
function better(best: v128, sums: v128, worth: v128): v128 {
  return f32x4.pmax(f32x4.mul(f32x4.convert_i32x4_s(sums), worth), best);
}

/**
 * MaxSim of query tokens, eight a group, with documents of `counts` tokens: for each query token the best
 * (sum - its zero) * worth, times its scale; their sum times `mean`, float32 [documents].
 *
 * A document is decoded into `scratch` once. Then four of its tokens at a time meet eight query tokens, a
 * lane each: 32 bits of a token are spread over all lanes, so no lanes need adding up at the end. `query`
 * holds, group by group, for each 32 bits of coordinates those of the eight tokens; `zeros` (int32, negative) and
 * `scales` hold one number a token.
 */
export function maxsim(
  levels: usize,
  codes: usize,
  stride: usize,
  counts: usize,
  documents: i32,
  worths: usize,
  query: usize,
  groups: i32,
  zeros: usize,
  scales: usize,
  mean: f32,
  scratch: usize,
  out: usize,
): void {
  const table = v128.load(levels);
  const width = 2 * stride * <usize>QUERY_BYTES;
  for (let doc = 0; doc < documents; doc++) {
    const count = load<i32>(counts + ((<usize>doc) << 2));
    let to = scratch;
    for (const end = codes + stride * count; codes < end; codes += 16, to += 32 * QUERY_BYTES) {
      const packed = v128.load(codes);
      keep(to, look(table, low(packed)));
      keep(to + 16 * QUERY_BYTES, look(table, high(packed)));
    }
    const last = to - width;
    let sum = f32x4.splat(0);
    let at = query;
    for (let group = 0; group < groups; group++, at += 8 * width) {
      const zero0 = v128.load(zeros + 32 * group);
      const zero1 = v128.load(zeros + 32 * group, 16);
      let best0 = f32x4.splat(-Infinity);
      let best1 = best0;
      for (let token = 0; token < count; token += 4) {
        // The last token stands in for those that would follow it.
        let t0 = scratch + width * token;
        let t1 = min(t0 + width, last);
        let t2 = min(t0 + 2 * width, last);
        let t3 = min(t0 + 3 * width, last);
        let a0 = zero0;
        let a1 = zero1;
        let b0 = zero0;
        let b1 = zero1;
        let c0 = zero0;
        let c1 = zero1;
        let d0 = zero0;
        let d1 = zero1;
        let q = at;
        for (const end = t0 + width; t0 < end; t0 += 4, t1 += 4, t2 += 4, t3 += 4, q += 32) {
          const q0 = v128.load(q);
          const q1 = v128.load(q, 16);
          let spread = v128.load32_splat(t0);
          a0 = dot(q0, spread, a0);
          a1 = dot(q1, spread, a1);
          spread = v128.load32_splat(t1);
          b0 = dot(q0, spread, b0);
          b1 = dot(q1, spread, b1);
          spread = v128.load32_splat(t2);
          c0 = dot(q0, spread, c0);
          c1 = dot(q1, spread, c1);
          spread = v128.load32_splat(t3);
          d0 = dot(q0, spread, d0);
          d1 = dot(q1, spread, d1);
        }
        const rest = count - 1 - token;
        const worth = worths + ((<usize>token) << 2);
        let spread = v128.load32_splat(worth);
        best0 = better(best0, a0, spread);
        best1 = better(best1, a1, spread);
        spread = v128.load32_splat(worth + (min(1, rest) << 2));
        best0 = better(best0, b0, spread);
        best1 = better(best1, b1, spread);
        spread = v128.load32_splat(worth + (min(2, rest) << 2));
        best0 = better(best0, c0, spread);
        best1 = better(best1, c1, spread);
        spread = v128.load32_splat(worth + (min(3, rest) << 2));
        best0 = better(best0, d0, spread);
        best1 = better(best1, d1, spread);
      }
      sum = f32x4.add(sum, f32x4.mul(best0, v128.load(scales + 32 * group)));
      sum = f32x4.add(sum, f32x4.mul(best1, v128.load(scales + 32 * group, 16)));
    }
    worths += (<usize>count) << 2;
    const total =
      f32x4.extract_lane(sum, 0) +
      f32x4.extract_lane(sum, 1) +
      f32x4.extract_lane(sum, 2) +
      f32x4.extract_lane(sum, 3);
    store<f32>(out + ((<usize>doc) << 2), total * mean);
  }
}
