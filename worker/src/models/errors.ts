/** Why a model did not arrive: each reason has its own words, and says whether another attempt may help. */

import { HinnyError } from "../errors.ts";

export type ModelReason =
  | "aborted"
  | "cut"
  | "network"
  | "no-webgpu"
  | "not-found"
  | "offline"
  | "refused"
  | "server"
  | "stalled"
  | "unknown"
  | "web-page";

const WORTH_ANOTHER: ReadonlySet<ModelReason> = new Set(["cut", "network", "server", "stalled"]);

export class ModelError extends HinnyError {
  readonly reason: ModelReason;

  constructor(reason: ModelReason, message: string) {
    super(reason === "offline" ? "offline" : "model", message);
    this.name = "ModelError";
    this.reason = reason;
  }

  get worthAnother(): boolean {
    return WORTH_ANOTHER.has(this.reason);
  }
}
