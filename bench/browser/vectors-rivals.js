// What one would write without a runtime: scans in plain JavaScript over typed arrays.

// 4-bit codes, two a byte. For each query, a table of 256 partial sums for each byte column; a vector's
// score is then one look-up and one addition a byte. Columns are visited in groups of eight, whose tables
// stay in the first-level cache; codes lie column group by column group, so that all reads run straight
// ahead. Tables of 16-bit integers were measured three times faster than float32 (no conversions) and their
// rounding is far below the codes' own.
export class ByteTableScan {
  constructor({ codes, worth, levels, count, bytes }) {
    this.count = count;
    this.bytes = bytes;
    this.worth = worth;
    this.levels = levels;
    this.grouped = new Uint8Array(codes.length);
    let at = 0;
    for (let group = 0; group < bytes; group += 8)
      for (let row = 0; row < count; row++)
        for (let byte = group; byte < group + 8; byte++) this.grouped[at++] = codes[row * bytes + byte];
    this.tables = new Int16Array(8 * 256);
    this.sums = new Int32Array(count);
    this.out = new Float32Array(count);
  }

  scores(query) {
    const { count, bytes, levels, grouped, tables, sums, out, worth } = this;
    let largest = 0;
    for (const value of query) largest = Math.max(largest, Math.abs(value));
    const scale = 32767 / (2 * largest * levels[15]);
    sums.fill(0);
    let at = 0;
    for (let group = 0; group < bytes; group += 8) {
      for (let byte = 0; byte < 8; byte++) {
        const low = query[2 * (group + byte)] * scale;
        const high = query[2 * (group + byte) + 1] * scale;
        for (let code = 0; code < 256; code++)
          tables[byte * 256 + code] = Math.round(low * levels[code & 15] + high * levels[code >> 4]);
      }
      for (let row = 0; row < count; row++, at += 8)
        sums[row] =
          (sums[row] +
            tables[grouped[at]] +
            tables[256 + grouped[at + 1]] +
            (tables[512 + grouped[at + 2]] + tables[768 + grouped[at + 3]]) +
            (tables[1024 + grouped[at + 4]] +
              tables[1280 + grouped[at + 5]] +
              (tables[1536 + grouped[at + 6]] + tables[1792 + grouped[at + 7]]))) |
          0;
    }
    for (let row = 0; row < count; row++) out[row] = (sums[row] / scale) * worth[row];
    return out;
  }
}

// MaxSim over float32 tokens: two document tokens against four query tokens at a time, so that each loaded
// number is used two or four times and eight sums run side by side; the query as float64, which saves a
// conversion a product.
export class MaxSimLoop {
  constructor({ tokens, counts, dim }) {
    this.tokens = tokens;
    this.counts = counts;
    this.dim = dim;
    this.out = new Float32Array(counts.length);
  }

  scores(float32) {
    const { tokens, counts, dim, out } = this;
    const query = new Float64Array(float32);
    const width = query.length / dim;
    let start = 0;
    for (let doc = 0; doc < counts.length; doc++) {
      const end = start + counts[doc] * dim;
      let total = 0;
      for (let q0 = 0; q0 < query.length; q0 += 4 * dim) {
        const q1 = q0 + dim;
        const q2 = q1 + dim;
        const q3 = q2 + dim;
        let best0 = -Infinity;
        let best1 = -Infinity;
        let best2 = -Infinity;
        let best3 = -Infinity;
        for (let at = start; at < end; at += 2 * dim) {
          const next = at + dim < end ? at + dim : at;
          let a0 = 0;
          let a1 = 0;
          let a2 = 0;
          let a3 = 0;
          let b0 = 0;
          let b1 = 0;
          let b2 = 0;
          let b3 = 0;
          for (let i = 0; i < dim; i++) {
            const a = tokens[at + i];
            const b = tokens[next + i];
            const x0 = query[q0 + i];
            const x1 = query[q1 + i];
            const x2 = query[q2 + i];
            const x3 = query[q3 + i];
            a0 += x0 * a;
            a1 += x1 * a;
            a2 += x2 * a;
            a3 += x3 * a;
            b0 += x0 * b;
            b1 += x1 * b;
            b2 += x2 * b;
            b3 += x3 * b;
          }
          if (b0 > a0) a0 = b0;
          if (b1 > a1) a1 = b1;
          if (b2 > a2) a2 = b2;
          if (b3 > a3) a3 = b3;
          if (a0 > best0) best0 = a0;
          if (a1 > best1) best1 = a1;
          if (a2 > best2) best2 = a2;
          if (a3 > best3) best3 = a3;
        }
        total += best0 + best1 + best2 + best3;
      }
      out[doc] = total / width;
      start = end;
    }
    return out;
  }
}
