/** Kinds of values that occur at each path of a JSON document; `$.bars.*[].t`. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

export interface ShapeOptions {
  /** Matches the paths of objects whose keys are names, for example symbols, instead of fields. */
  readonly named?: RegExp;
  /** Matches the paths of lists whose cells have their own meaning by position. */
  readonly tuples?: RegExp;
}

const EPOCHS: readonly (readonly [string, number, number])[] = [
  ["epoch seconds", 8e8, 4e9],
  ["epoch milliseconds", 8e11, 4e12],
  ["epoch nanoseconds", 8e17, 4e18],
];
const TEXTS: readonly (readonly [string, RegExp])[] = [
  ["empty text", /^$/],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["UTC time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
  ["time with offset", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/],
  ["time without zone", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d$/],
  ["US date", /^\d{1,2}\/\d{1,2}\/\d{4}$/],
  ["number as text", /^-?\d+(\.\d+)?$/],
  ["dollars as text", /^\(?-?\$[\d,]+(\.\d+)?\)?$/],
  ["grouped number as text", /^-?\d{1,3}(,\d{3})+(\.\d+)?$/],
];

/** Returns the kind of a value: its type, and the format of a text or of a time. */
function kindOfValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return TEXTS.find(([, pattern]) => pattern.test(value))?.[0] ?? "text";
  if (typeof value !== "number") return Array.isArray(value) ? "list" : typeof value;
  const epoch = Number.isInteger(value)
    ? EPOCHS.find(([, from, to]) => value >= from && value <= to)
    : undefined;
  return epoch?.[0] ?? (Number.isInteger(value) ? "integer" : "decimal");
}

/** Returns the shape of several documents of one endpoint. */
export function shapeOf(bodies: readonly unknown[], { named, tuples }: ShapeOptions = {}): Shape {
  const shape = new Map<string, Set<string>>();
  const visit = (value: unknown, path: string): void => {
    const kinds = shape.get(path) ?? new Set<string>();
    shape.set(path, kinds.add(kindOfValue(value)));
    if (Array.isArray(value))
      for (const [i, cell] of value.entries())
        visit(cell, tuples?.test(path) ? `${path}[${i}]` : `${path}[]`);
    else if (typeof value === "object" && value !== null)
      for (const [key, field] of Object.entries(value))
        visit(field, named?.test(path) ? `${path}.*` : `${path}.${key}`);
  };
  for (const body of bodies) visit(body, "$");
  return shape;
}

/** Kinds that also fit where another one was recorded. */
const FITS: Readonly<Record<string, readonly string[]>> = {
  // whole amounts occur among decimals, and large counts may look like times
  integer: ["decimal", "epoch seconds", "epoch milliseconds"],
  "epoch seconds": ["integer", "decimal"],
  "epoch milliseconds": ["integer", "decimal"],
  "number as text": ["grouped number as text"],
};

/**
 * Returns the differences of a shape from the recorded one: fields that no recording has, and kinds of values that were
 * not recorded there. `allowed` names paths that may differ, each with its reason.
 */
export function differences(
  served: Shape,
  recorded: Shape,
  allowed: Readonly<Record<string, string>> = {},
): readonly string[] {
  const found: string[] = [];
  for (const [path, kinds] of served) {
    if (
      Object.keys(allowed).some(
        (name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
      )
    )
      continue;
    const known = recorded.get(path);
    if (known === undefined) {
      found.push(`${path}: not in the recordings`);
      continue;
    }
    for (const kind of kinds)
      if (!known.has(kind) && !(FITS[kind] ?? []).some((other) => known.has(other)))
        found.push(`${path}: ${kind}, recorded as ${[...known].join(", ")}`);
  }
  return found;
}
