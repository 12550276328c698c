type Json = Readonly<Record<string, unknown>>;

/** A renamed field or value: applies to a field `name` whose value and object match. */
interface Rename {
  readonly name: string;
  readonly when: (value: unknown, object: Json) => boolean;
  /** Default: the name stays. */
  readonly to?: string;
  /** New values by old ones. Default: the value stays. */
  readonly values?: Readonly<Record<string, string>>;
}

const isCount = (value: unknown) => value === null || typeof value === "number";
const isText = (value: unknown) => typeof value === "string";
const renamedValue = (name: string, values: Readonly<Record<string, string>>): Rename => ({
  name,
  when: (value) => typeof value === "string" && Object.hasOwn(values, value),
  values,
});

/** Every published name and value that changed before the first release. */
const RENAMES: readonly Rename[] = [
  {
    name: "kept",
    when: (value) => ["asked", "memory", "store", "stream"].includes(value as string),
    to: "served_from",
    values: { asked: "provider" },
  },
  { name: "voices", when: Array.isArray, to: "contracts" },
  { name: "standing", when: Array.isArray, to: "condition_states" },
  { name: "told_at", when: isText, to: "imported_at" },
  { name: "asked", when: (value) => value !== null && typeof value !== "string", to: "requested" },
  { name: "had", when: isCount, to: "received" },
  { name: "judged", when: (value, object) => isCount(value) && "stories" in object, to: "scored" },
  { name: "not_judged", when: isCount, to: "abstained" },
  { name: "have", when: isCount, to: "available" },
  { name: "need", when: isCount, to: "required" },
  renamedValue("status", { standing: "valid" }),
  renamedValue("state", { kept: "stored", not_asked: "not_requested" }),
  renamedValue("inputs", { not_kept: "not_stored" }),
  renamedValue("source", { kept: "stored" }),
  renamedValue("bound_by", { asked: "requested" }),
  renamedValue("held", { whole: "complete" }),
  renamedValue("change", { calm: "low_volatility", wild: "high_volatility" }),
];

/** Returns the JSON of a stored answer with the present names; other text is returned unchanged. */
export function withPlainNames(text: string): string {
  if (!RENAMES.some(({ name }) => text.includes(`"${name}"`))) return text;
  let before: unknown;
  try {
    before = JSON.parse(text);
  } catch {
    return text;
  }
  return JSON.stringify(renamed(before));
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== "object" || value === null || isSigned(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => renamedField(name, field, value as Json)),
  );
}

function renamedField(name: string, value: unknown, object: Json): readonly [string, unknown] {
  const found = RENAMES.find((rename) => rename.name === name && rename.when(value, object));
  return [found?.to ?? name, found?.values?.[value as string] ?? renamed(value)];
}

/** Returns true for a receipt: its signature covers the names in it. */
const isSigned = (value: object): boolean => "signature" in value && "public_key" in value;
