/** What one release of the demo consists of: every file with its hash, under one name. */

export interface ReleaseFile {
  path: string;
  bytes: number;
  sha256: string;
}

export interface Release {
  id: string;
  files: ReleaseFile[];
}

/** Which part of the caching a file belongs to. */
export type Tier = "shell" | "pages" | "asked" | "elsewhere";

/**
 * The shell is there before the new release takes over; the manual's pages follow when there is time. The
 * runtime's files and the models are kept and checked by the search worker itself, so they are not kept twice.
 * What a neural factory needs of the bundle is kept once it was asked for, and not before.
 */
export function tierOf(path: string): Tier {
  if (path === "sw.js" || path === "release.json" || /^(?:runtime|models)\//u.test(path)) return "elsewhere";
  if (/^parts\/(?:vectors|tokens|questions)-/u.test(path)) return "asked";
  return path.startsWith("site/") ? "pages" : "shell";
}

/** Read `release.json`; a file that is not one is an error with a name. */
export function parseRelease(value: unknown): Release {
  const release = value as Partial<Release> | null;
  if (
    typeof release?.id !== "string" ||
    !/^[0-9a-f]{8,64}$/u.test(release.id) ||
    !Array.isArray(release.files)
  ) {
    throw new TypeError("release.json is not a list of a release's files");
  }
  for (const file of release.files) {
    if (typeof file?.path !== "string" || !/^[0-9a-f]{64}$/u.test(file.sha256)) {
      throw new TypeError("release.json names a file without a SHA-256");
    }
  }
  return { id: release.id, files: release.files };
}

/** The release's path for a URL under its root: `""` is `index.html`; null for what lies outside. */
export function pathIn(root: string, url: string): string | null {
  const target = new URL(url);
  const at = new URL(root);
  if (target.origin !== at.origin || !target.pathname.startsWith(at.pathname)) return null;
  const path = decodeURIComponent(target.pathname.slice(at.pathname.length));
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

export async function sha256Hex(data: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
