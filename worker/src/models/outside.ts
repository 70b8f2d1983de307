/**
 * An ONNX graph whose weights stay where they are. Read whole, a model is copied three times in onnxruntime's
 * memory, which never shrinks: the file, what protobuf keeps of it, the tensors. Here a tensor's bytes are replaced
 * by their place in the file (external data, https://onnx.ai/onnx/repo-docs/ExternalData.html), from where they are
 * copied once.
 *
 * Protobuf's wire format: https://protobuf.dev/programming-guides/encoding/.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** onnx.proto: ModelProto.graph, GraphProto.initializer, TensorProto.raw_data, .external_data, .data_location. */
const [GRAPH, INITIALIZER, RAW, EXTERNAL, LOCATION] = [7, 5, 9, 13, 14];
const [VARINT, EIGHT_BYTES, DELIMITED, FOUR_BYTES] = [0, 1, 2, 5];
/** Fewer bytes may be wanted while the graph is checked, and cost nothing. */
const WORTH_IT = 4096;

interface Field {
  number: number;
  start: number;
  /** Where its content begins, behind tag and length. */
  content: number;
  end: number;
}

/** The graph without its weights: they are in `file`, called `path`. Null where there are none, or no graph. */
export function weightsOutside(file: Bytes, path: string): Bytes | null {
  const rest: Bytes[] = [];
  let weights = 0;
  const kept = ({ start, end }: Field) => file.subarray(start, end);
  const inside = (field: Field, change: (part: Field) => Bytes[]) =>
    delimited(field.number, [...fieldsOf(file, field.content, field.end)].flatMap(change));
  const external = (part: Field): Bytes[] => {
    if (part.number !== RAW || part.end - part.content < WORTH_IT) return [kept(part)];
    weights++;
    const entries = { location: path, offset: part.content, length: part.end - part.content };
    return [
      ...Object.entries(entries).flatMap(([key, value]) =>
        delimited(EXTERNAL, [...delimited(1, [encoded(key)]), ...delimited(2, [encoded(String(value))])]),
      ),
      varint((LOCATION << 3) | VARINT),
      varint(1),
    ];
  };
  const graph = (part: Field) => (part.number === INITIALIZER ? inside(part, external) : [kept(part)]);
  try {
    for (const part of fieldsOf(file, 0, file.length)) {
      rest.push(...(part.number === GRAPH ? inside(part, graph) : [kept(part)]));
    }
  } catch {
    return null; // onnxruntime says better what is wrong with it
  }
  return weights ? joined(rest) : null;
}

/** The fields of a message in bytes `at` to `end`. */
function* fieldsOf(file: Bytes, at: number, end: number): Generator<Field> {
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = file[at++];
      if (byte === undefined || at > end) throw new RangeError("a number ends too late");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < end) {
    const start = at;
    const tag = number();
    const kind = tag & 7;
    let content = at;
    if (kind === VARINT) number();
    else if (kind === EIGHT_BYTES) at += 8;
    else if (kind === FOUR_BYTES) at += 4;
    else if (kind === DELIMITED) {
      const length = number();
      content = at;
      at += length;
    } else throw new RangeError(`there is no kind ${kind} of field`);
    if (at > end) throw new RangeError("a field ends too late");
    yield { number: Math.floor(tag / 8), start, content, end: at };
  }
}

function delimited(number: number, parts: Bytes[]): Bytes[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [varint((number << 3) | DELIMITED), varint(length), ...parts];
}

function varint(value: number): Bytes {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return new Uint8Array([...bytes, value]);
}

function encoded(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function joined(parts: Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
