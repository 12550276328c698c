export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const FLOAT = 8;
const LINE_FEED = 10;

/** Encodes a JSON header line followed by the columns as little-endian 64-bit floats. */
export function encodeColumns(head: string, columns: readonly Float64Array[]): Uint8Array {
  const line = new TextEncoder().encode(`${head}\n`);
  const count = columns.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(line.length + count * FLOAT);
  bytes.set(line);
  const view = new DataView(bytes.buffer, line.length);
  let at = 0;
  for (const column of columns)
    for (const value of column) {
      view.setFloat64(at, value, true);
      at += FLOAT;
    }
  return bytes;
}

/** Splits the header line from the remaining bytes. Throws when there is no header line. */
export function splitHeader(bytes: Uint8Array): { readonly head: string; readonly rest: Uint8Array } {
  const end = bytes.indexOf(LINE_FEED);
  if (end < 0) throw new Error("The bytes do not begin with a line");
  return { head: new TextDecoder().decode(bytes.subarray(0, end)), rest: bytes.subarray(end + 1) };
}

/** Decodes `count` columns of equal length. Throws when the number of bytes does not match. */
export function decodeColumns(bytes: Uint8Array, count: number): readonly Float64Array[] {
  const rows = bytes.length / FLOAT / count;
  if (!Number.isInteger(rows)) throw new Error("The bytes are not columns of equal length");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, column) =>
    Float64Array.from({ length: rows }, (_, row) => view.getFloat64((column * rows + row) * FLOAT, true)),
  );
}

/** Concatenates named byte arrays after a header line with their names and lengths. */
export function packParts(parts: readonly NamedBytes[]): Uint8Array {
  const head = JSON.stringify(parts.map(({ name, bytes }) => [name, bytes.length]));
  const line = new TextEncoder().encode(`${head}\n`);
  const all = new Uint8Array(parts.reduce((sum, { bytes }) => sum + bytes.length, line.length));
  all.set(line);
  let at = line.length;
  for (const { bytes } of parts) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}

/** Decodes the output of `packParts`. Throws for any other bytes. */
export function unpackParts(bytes: Uint8Array): readonly NamedBytes[] {
  const { head, rest } = splitHeader(bytes);
  let at = 0;
  const parts = (JSON.parse(head) as readonly (readonly [string, number])[]).map(([name, length]) => {
    const part = rest.subarray(at, at + length);
    at += length;
    return { name, bytes: part };
  });
  if (at !== rest.length) throw new Error("The number of bytes differs from the header");
  return parts;
}
