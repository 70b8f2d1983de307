/** The text of src/scan/kernels.ts. */
export function kernels(): Promise<string>;
