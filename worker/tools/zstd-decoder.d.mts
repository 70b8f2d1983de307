export function zstdDecoder(): Uint8Array<ArrayBuffer>;
