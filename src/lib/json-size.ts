const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT, LIST_END, OBJECT_END] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x7b, 0x5d, 0x7d,
];

/** Maximum depth of lists and objects in JSON from outside. */
export const MAX_JSON_DEPTH = 100;

/** Limits of a JSON text; an empty list or object counts as two values. */
export interface JsonLimits {
  readonly values: number;
  /** Default: 100. */
  readonly depth?: number;
}

/** A JSON text that exceeds its limits. */
export class JsonLimitError extends Error {}

/**
 * Returns true if a JSON text has more values than the limit; an empty list or object counts as two. Takes a small part
 * of the time of parsing the text, which need not be valid.
 */
export function hasMoreValues(bytes: Uint8Array, limit: number): boolean {
  return exceededLimit(bytes, { values: limit, depth: Number.POSITIVE_INFINITY }) !== null;
}

/** Returns the limit that a JSON text exceeds, which need not be valid; null if it is within all. */
export function exceededLimit(
  bytes: Uint8Array,
  { values: limit, depth = MAX_JSON_DEPTH }: JsonLimits,
): "values" | "depth" | null {
  let [values, open] = [1, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA || byte === LIST || byte === OBJECT) {
      if (++values > limit) return "values";
      if (byte !== COMMA && ++open > depth) return "depth";
    } else if (byte === LIST_END || byte === OBJECT_END) open--;
  }
  return null;
}

/**
 * Parses JSON from outside. @throws JsonLimitError for a text beyond its limits, SyntaxError for text that is not JSON
 */
export function parseWithin(text: string, limits: JsonLimits): unknown {
  const exceeded = exceededLimit(Buffer.from(text), limits);
  if (exceeded !== null) throw limitError(exceeded, limits);
  return JSON.parse(text) as unknown;
}

/** Creates the error of a text beyond a limit. */
export const limitError = (
  exceeded: "values" | "depth",
  { values, depth = MAX_JSON_DEPTH }: JsonLimits,
): JsonLimitError =>
  new JsonLimitError(exceeded === "values" ? `more than ${values} values` : `nested deeper than ${depth}`);

/** Returns the position of the quote that ends the string which begins at `start`; without one, that of the end. */
export function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let first = end;
    while (bytes[first - 1] === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return bytes.length;
}
