/** Explanations are asked for once for each answer on the screen: the same question again, with `explain`. */

import type { Result, SearchRequest } from "../../worker/src/api";
import type { OpenBundle } from "./port";

export class Explanations {
  #asked: Promise<Map<string, Result>> | null = null;

  /** Another answer is coming. */
  forget(): void {
    this.#asked = null;
  }

  /** The answer's hits by id, explained. What failed may be asked again. */
  async of(opened: OpenBundle, request: SearchRequest): Promise<ReadonlyMap<string, Result>> {
    this.#asked ??= this.#fetch(opened, request);
    const asked = this.#asked;
    try {
      return await asked;
    } catch (error) {
      if (this.#asked === asked) this.#asked = null;
      throw error;
    }
  }

  async #fetch(opened: OpenBundle, request: SearchRequest): Promise<Map<string, Result>> {
    const { results } = await opened.search({ ...request, explain: true });
    return new Map(results.map((result) => [result.id, result]));
  }
}
