/** @huggingface/tokenizers, made to agree with the Rust library that made the index. */

type Bytes = Uint8Array<ArrayBuffer>;

export interface HubTokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
}

/** The part of @huggingface/tokenizers that is used here. */
export interface Tokenizers {
  Tokenizer: new (tokenizer: object, config: object) => HubTokenizer;
}

/** A tokenizer from the bytes of its tokenizer.json and, where there is one, tokenizer_config.json. */
export function readTokenizer(
  { Tokenizer }: Tokenizers,
  tokenizer: Bytes,
  config: Bytes | null,
): HubTokenizer {
  const description = parse(tokenizer);
  const made = new Tokenizer(description, config ? parse(config) : {});
  return lowercases(description) ? plainSigma(made) : made;
}

/** One step of a tokenizer.json's normaliser, or a sequence of them. */
interface Normaliser {
  type?: string;
  lowercase?: boolean;
  normalizers?: Normaliser[];
}

function parse(bytes: Bytes): { normalizer?: Normaliser | null } {
  return JSON.parse(new TextDecoder().decode(bytes)) as { normalizer?: Normaliser | null };
}

function lowercases({ normalizer }: { normalizer?: Normaliser | null }): boolean {
  const steps = normalizer?.type === "Sequence" ? (normalizer.normalizers ?? []) : [normalizer];
  return steps.some((step) => step?.type === "Lowercase" || step?.lowercase === true);
}

/**
 * Rust lowers letter by letter, JavaScript lowers a word's last capital sigma to its final form. The vectors
 * of an index were made with the former.
 */
function plainSigma(tokenizer: HubTokenizer): HubTokenizer {
  return { encode: (text, options) => tokenizer.encode(text.replaceAll("Σ", "σ"), options) };
}
