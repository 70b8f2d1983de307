/** Numbers as the reader's language writes them. */

export function bytes(value: number, lang: string): string {
  const [unit, size, digits] =
    value >= 1e9
      ? (["gigabyte", 1e9, 1] as const)
      : value >= 1e6
        ? (["megabyte", 1e6, value >= 1e8 ? 0 : 1] as const)
        : (["kilobyte", 1e3, 0] as const);
  return new Intl.NumberFormat(lang, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: digits,
  }).format(value / size);
}

export function milliseconds(value: number, lang: string): string {
  return new Intl.NumberFormat(lang, {
    style: "unit",
    unit: "millisecond",
    unitDisplay: "short",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

export function score(value: number, lang: string): string {
  return new Intl.NumberFormat(lang, { maximumSignificantDigits: 3 }).format(value);
}

export function count(value: number, lang: string): string {
  return new Intl.NumberFormat(lang).format(value);
}
