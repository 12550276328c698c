import fc from "fast-check";

/** Marker in changed strings; our error messages must not contain it. */
export const MARKER = "zq-vendor-words-qz";

type Path = readonly (string | number)[];

/** Paths of all values within a JSON value, the root first. */
export function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const inside = Array.isArray(value)
    ? value.map((part, index) => [index, part] as const)
    : Object.entries(value);
  return [at, ...inside.flatMap(([key, part]) => placesIn(part, [...at, key]))];
}

/** The value with the part at one path replaced or removed. */
export function replaced(
  value: unknown,
  [key, ...rest]: Path,
  by: { readonly value: unknown } | null,
): unknown {
  if (key === undefined) return by?.value;
  if (Array.isArray(value)) {
    if (rest.length === 0 && by === null) return value.toSpliced(key as number, 1);
    return value.with(key as number, replaced(value[key as number], rest, by));
  }
  const record = value as Readonly<Record<string, unknown>>;
  const { [key]: old, ...others } = record;
  if (rest.length === 0 && by === null) return others;
  return { ...record, [key]: replaced(old, rest, by) };
}

/** The value with every string changed; `key`: the field that contains the string or its list. */
export function restrung(value: unknown, change: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return change(value, key);
  if (Array.isArray(value)) return value.map((part) => restrung(part, change, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, restrung(part, change, name)]),
  );
}

/** The value with its rows reordered: all lists of the maximum length change alike. */
export function reordered(value: unknown, order: <T>(rows: readonly T[]) => T[]): unknown {
  const listsIn = (part: unknown): readonly unknown[][] =>
    typeof part !== "object" || part === null
      ? []
      : [...(Array.isArray(part) ? [part] : []), ...Object.values(part).flatMap(listsIn)];
  const longest = Math.max(0, ...listsIn(value).map(({ length }) => length));
  const turn = (part: unknown, inRow: boolean): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) {
      const rows = !inRow && part.length === longest;
      const turned = part.map((row) => turn(row, inRow || rows));
      return rows ? order(turned) : turned;
    }
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, turn(inner, inRow)]));
  };
  return turn(value, false);
}

/** A wrong value that a vendor might send; null removes the field. */
export const wrongValue: fc.Arbitrary<{ readonly value: unknown } | null> = fc.oneof(
  fc.constant(null),
  fc
    .constantFrom<unknown>(
      ...[null, true, 0, -1, -0.5, 1e-320, 1e308, -9e99, 9e99, 2 ** 53, "", MARKER, "NaN", "Infinity", "-1"],
      ...[
        "1e999",
        "0",
        "--",
        "N/A",
        "1,2,3",
        "0x10",
        "2025-13-45T99:99:99Z",
        "USD",
        [],
        {},
        [null],
        [[]],
        [{}],
      ],
      "9".repeat(4000),
      MARKER.repeat(300),
    )
    .map((value) => ({ value })),
  fc.jsonValue().map((value) => ({ value })),
);

/** The parsed JSON text; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The text with its JSON changed; other text is returned with `otherwise` appended. */
export function inJson(text: string, change: (value: unknown) => unknown, otherwise = ""): string {
  const value = parsed(text);
  return value === undefined ? text + otherwise : JSON.stringify(change(value));
}
