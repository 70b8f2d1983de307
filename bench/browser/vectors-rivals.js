// What one would write without a runtime: scans in plain JavaScript over typed arrays.

// 4-bit codes, two a byte. For each query, a table of 256 partial sums for each byte column; a vector's
// score is then one look-up and one addition a byte. Columns are visited in groups of eight, whose tables
// (8 KB) stay in the first-level cache; codes lie column group by column group, so that all reads run
// straight ahead.
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
        for (let byte = group; byte < Math.min(group + 8, bytes); byte++)
          this.grouped[at++] = codes[row * bytes + byte];
    this.tables = new Float32Array(8 * 256);
    this.out = new Float32Array(count);
  }

  scores(query) {
    const { count, bytes, levels, grouped, tables, out, worth } = this;
    out.fill(0);
    let at = 0;
    for (let group = 0; group < bytes; group += 8) {
      for (let byte = 0; byte < 8; byte++) {
        const low = query[2 * (group + byte)];
        const high = query[2 * (group + byte) + 1];
        for (let code = 0; code < 256; code++)
          tables[byte * 256 + code] = low * levels[code & 15] + high * levels[code >> 4];
      }
      for (let row = 0; row < count; row++, at += 8)
        out[row] +=
          tables[grouped[at]] +
          tables[256 + grouped[at + 1]] +
          (tables[512 + grouped[at + 2]] + tables[768 + grouped[at + 3]]) +
          (tables[1024 + grouped[at + 4]] +
            tables[1280 + grouped[at + 5]] +
            (tables[1536 + grouped[at + 6]] + tables[1792 + grouped[at + 7]]));
    }
    for (let row = 0; row < count; row++) out[row] *= worth[row];
    return out;
  }
}

// MaxSim over float32 tokens: four query tokens against one document token at a time, so that each loaded
// coordinate is used four times and four sums run side by side.
export class MaxSimLoop {
  constructor({ tokens, counts, dim }) {
    this.tokens = tokens;
    this.counts = counts;
    this.dim = dim;
    this.out = new Float32Array(counts.length);
  }

  scores(query) {
    const { tokens, counts, dim, out } = this;
    const width = query.length / dim;
    let start = 0;
    for (let doc = 0; doc < counts.length; doc++) {
      const end = start + counts[doc] * dim;
      let total = 0;
      for (let q = 0; q < width; q += 4) {
        const q0 = q * dim;
        const q1 = q0 + dim;
        const q2 = q1 + dim;
        const q3 = q2 + dim;
        let best0 = -Infinity;
        let best1 = -Infinity;
        let best2 = -Infinity;
        let best3 = -Infinity;
        for (let at = start; at < end; at += dim) {
          let sum0 = 0;
          let sum1 = 0;
          let sum2 = 0;
          let sum3 = 0;
          for (let i = 0; i < dim; i++) {
            const value = tokens[at + i];
            sum0 += query[q0 + i] * value;
            sum1 += query[q1 + i] * value;
            sum2 += query[q2 + i] * value;
            sum3 += query[q3 + i] * value;
          }
          if (sum0 > best0) best0 = sum0;
          if (sum1 > best1) best1 = sum1;
          if (sum2 > best2) best2 = sum2;
          if (sum3 > best3) best3 = sum3;
        }
        total += best0 + best1 + best2 + best3;
      }
      out[doc] = total / width;
      start = end;
    }
    return out;
  }
}
