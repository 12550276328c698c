import { setImmediate } from "node:timers/promises";

/** A body written in chunks: what comes first, what is repeated, and what comes last. */
interface Grown {
  readonly head: string;
  readonly row: string;
  readonly tail: string;
}

const CHUNK_BYTES = 64 * 1024;
const MARK = "@@rows@@";
const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * Bodies that grow out of a vendor's own response, by name. Each gets the response and returns the parts of the body.
 */
export const BODIES: Readonly<Record<string, (body: string) => Grown>> = {
  "its own rows": (body) => grown(body, (rows) => rows),
  "empty rows": (body) => grown(body, () => ["{}"]),
  "rows of null": (body) => grown(body, () => ["null"]),
  "rows of lists": (body) => grown(body, () => ["[1]"]),
  "one long text": (body) => ({ head: `${grown(body, () => ["1"]).head}"`, row: "text ", tail: '"]' }),
  "nested lists": () => ({ head: "", row: "[", tail: "" }),
  "nested in its rows": (body) => ({ head: grown(body, () => ["1"]).head, row: "[", tail: "" }),
  "nested objects": () => ({ head: "", row: '{"a":', tail: "" }),
  "many names": () => ({ head: '{"a":1', row: ',"name @@":1', tail: "}" }),
};

/** Returns the response with the longest list in it, or of text the lines, repeated. */
function grown(body: string, rowsFor: (rows: readonly string[]) => readonly string[]): Grown {
  const value = parsed(body);
  if (!isContainer(value)) return grownText(body);
  const longest = longestContainer(value);
  const rows = Array.isArray(longest)
    ? rowsFor(longest.map((row) => JSON.stringify(row)))
    : rowsFor(Object.values(longest).map((row) => JSON.stringify(row))).map((row) => `"name @@":${row}`);
  const text = JSON.stringify(value, (_, one: unknown) =>
    one === longest ? (Array.isArray(one) ? [MARK] : { [MARK]: 0 }) : one,
  );
  const [head = "", tail = ""] = text.split(Array.isArray(longest) ? `"${MARK}"` : `"${MARK}":0`);
  const [first = "1"] = rows;
  return { head: head + first, row: rows.map((row) => `,${row}`).join("") || ",1", tail };
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};

/** Returns the text with its middle line or element repeated. */
function grownText(body: string): Grown {
  const item = /<(item|entry|Member|li|tr)\b[\s\S]*?<\/\1>\s*/.exec(body);
  const lines = item === null ? body.split(/(?<=\n)/) : [];
  const row = item?.[0] ?? lines[Math.floor(lines.length / 2)] ?? "x\n";
  const at = body.indexOf(row);
  return { head: body.slice(0, at), row: row === "" ? "x\n" : row, tail: body.slice(at) };
}

function longestContainer(value: object): object {
  let longest = value;
  const unread: object[] = [value];
  for (let one = unread.pop(); one !== undefined; one = unread.pop()) {
    const size = (container: object) => Object.keys(container).length + (Array.isArray(container) ? 0.5 : 0);
    if (size(one) > size(longest) || (Array.isArray(one) && !Array.isArray(longest))) longest = one;
    unread.push(...Object.values(one).filter(isContainer));
  }
  return longest;
}

/** Streams a body of about `bytes` bytes; `@@` becomes a running number. */
export function streamOf({ head, row, tail }: Grown, bytes: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const count = Math.max(1, Math.ceil(CHUNK_BYTES / row.length));
  const repeated = row.includes("@@") ? null : encoder.encode(row.repeat(count));
  let [sent, next, place] = [0, 0, 0];
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // as from a socket, a chunk arrives in an iteration of the event loop of its own
      await setImmediate();
      place++;
      const chunk =
        place === 1
          ? encoder.encode(head)
          : sent >= bytes
            ? encoder.encode(tail)
            : (repeated ??
              encoder.encode(
                Array.from({ length: count }, () => row.replaceAll("@@", () => String(next++))).join(""),
              ));
      const isLast = place > 1 && sent >= bytes;
      sent += chunk.length;
      controller.enqueue(chunk);
      if (isLast) controller.close();
    },
  });
}
