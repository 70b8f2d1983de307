/** What can go wrong, as a page sees it: a kind to decide by and a message to show. */

export type ErrorKind =
  | "bundle-missing"
  | "bundle-damaged"
  | "bundle-version"
  | "runtime"
  | "no-webassembly"
  | "no-module-worker"
  | "offline"
  | "query"
  | "model"
  | "crashed";

export interface PlainError {
  kind: ErrorKind;
  message: string;
}

export class HinnyError extends Error {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string) {
    super(message);
    this.name = "HinnyError";
    this.kind = kind;
  }
}

/** Bytes whose size or SHA-256 is not the promised one. */
export class IntegrityError extends HinnyError {
  constructor(
    kind: ErrorKind,
    readonly file: string,
    readonly source: string,
    readonly expected: string,
    readonly found: string,
  ) {
    super(
      kind,
      `${file} from ${source}: expected ${expected}, found ${found}; nothing of it was used or stored`,
    );
    this.name = "IntegrityError";
  }
}

/** How the worker answers: structured cloning would lose an error's kind. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: PlainError };

export async function reply<T>(work: () => Promise<T> | T): Promise<Reply<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error: plain(error) };
  }
}

export function plain(error: unknown): PlainError {
  if (error instanceof HinnyError) return { kind: error.kind, message: error.message };
  return { kind: "query", message: error instanceof Error ? error.message : String(error) };
}
