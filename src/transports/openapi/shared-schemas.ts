import type { JsonSchema } from "../../kernel/publish.ts";
import { mapInSteps } from "../../lib/event-loop.ts";
import { groupBy } from "../../lib/group-by.ts";
import { componentName } from "./component-names.ts";
import { shareFields } from "./shared-fields.ts";
import { mapSubschemas } from "./subschemas.ts";

/** Length of its JSON from which a schema that occurs more than once becomes a component. */
const MIN_SHARED_LENGTH = 100;
/** Usual length of the JSON of a reference. */
const REFERENCE_LENGTH = 45;
/** Returns true for a long schema, or if a component and references to it are shorter than the JSON of each use. */
const isWorthSharing = (length: number, uses: number): boolean =>
  length >= MIN_SHARED_LENGTH || uses * (length - REFERENCE_LENGTH) > length + REFERENCE_LENGTH;
/** Keys of an operation whose value is a schema. */
const SCHEMA_KEY = /^(schema|x-\w+-schema)$/;
/** Keys of an operation that hold values, not schemas. */
const VALUE_KEYS: ReadonlySet<string> = new Set(["example", "examples"]);

/** Parts of a path that are no names of fields. */
const PART_KEYS: ReadonlySet<string> = new Set(["items", "allOf"]);

/** The keywords that may differ between schemas that are otherwise the same; they may stand beside a reference. */
type Annotations = Readonly<{ description?: unknown; default?: unknown }>;

/** Place of a schema in an operation. */
interface Place {
  readonly kind: "request" | "response";
  readonly parameter?: string;
}

/** One distinct schema of the document. */
interface Entry {
  readonly id: number;
  /** Keywords without annotations; subschemas are uses. */
  readonly keywords: Readonly<Record<string, unknown>>;
  /** Subschemas that are uses. */
  readonly parts: readonly Use[];
  /** Length of its JSON, with references to the parts that become components. */
  length: number;
  /** Occurrences in operations and in distinct schemas. */
  readonly uses: Use[];
  /** Name as a component; null if it stands where it is used. */
  name: string | null;
  /** Components of a short schema with annotations that several uses share, by the JSON of these annotations. */
  readonly annotated: Map<string, { readonly name: string; readonly annotations: Annotations }>;
}

/** A schema at one place. */
class Use {
  readonly entry: Entry;
  readonly annotations: Annotations;
  /** Names of the operation and of the fields that lead to it. */
  readonly path: readonly string[];

  constructor(entry: Entry, annotations: Annotations, path: readonly string[]) {
    this.entry = entry;
    this.annotations = annotations;
    this.path = path;
  }

  /** Equal uses have equal JSON. */
  toJSON() {
    return ["use", this.entry.id, this.annotations];
  }
}

/** Uses that become references to one component. */
interface NamedUses {
  readonly uses: readonly Use[];
  readonly setName: (name: string) => void;
}

/**
 * Replaces each schema that occurs more than once in the operations by a reference to one component. Schemas are equal
 * if they differ at most in description and default; short ones are shared only with equal descriptions, the shortest where that makes the document shorter. Fields that several objects have in common are a schema too. Components are
 * named after the field that holds them. The operations are worked through in steps between which other events are handled.
 */
export async function shareSchemas<Operation>(
  operations: readonly (readonly [name: string, operation: Operation])[],
  reserved: readonly string[],
): Promise<{
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}> {
  const all: JsonSchema[] = [];
  for (const [, operation] of operations) mapSchemas(operation, (schema) => all.push(schema));
  const withSharedFields = await shareFields(all);
  const entries = new Map<string, Entry>();

  function intern(schema: JsonSchema, path: readonly string[]): Use {
    const { description, default: fallback, ...rest } = schema;
    const annotations = {
      ...(description !== undefined && { description }),
      ...(fallback !== undefined && { default: fallback }),
    };
    const uses: Use[] = [];
    const keywords = mapSubschemas(rest, (subschema, field) => {
      const use = intern(subschema, field === null ? path : [...path, field]);
      uses.push(use);
      return use;
    });
    const key = JSON.stringify(Object.entries(keywords).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = entries.get(key);
    if (known !== undefined) return new Use(known, annotations, path);
    for (const use of uses) use.entry.uses.push(use);
    const [id, length] = [entries.size, key.length];
    const entry: Entry = { id, keywords, parts: uses, length, uses: [], name: null, annotated: new Map() };
    entries.set(key, entry);
    return new Use(entry, annotations, path);
  }

  const interned = await mapInSteps(operations, ([name, operation]) =>
    mapSchemas(operation, (schema, { kind, parameter }) => {
      const path = [`${name}_${kind}`, ...(parameter === undefined ? [] : [parameter])];
      const use = intern(withSharedFields(schema), path);
      use.entry.uses.push(use);
      return use;
    }),
  );
  // parts come before the schemas that have them
  for (const entry of entries.values())
    for (const { entry: part } of entry.parts)
      entry.length += isComponent(part) ? REFERENCE_LENGTH : part.length;
  const taken = new Set(reserved);
  for (const { uses, setName } of [...entries.values()]
    .flatMap(componentsOf)
    .toSorted((a, b) => b.uses.length - a.uses.length)) {
    const [name] = commonPathsOf(uses)
      .map((path) => componentName(path, taken))
      .toSorted((a, b) => a.length - b.length) as [string, ...string[]];
    taken.add(name);
    setName(name);
  }
  const shared = [...entries.values()].flatMap((entry) => [
    ...(entry.name === null ? [] : [{ name: entry.name, entry, annotations: commonAnnotationsOf(entry) }]),
    ...[...entry.annotated.values()].map((one) => ({ ...one, entry })),
  ]);
  const schemas = await mapInSteps(
    shared,
    ({ name, entry, annotations }) =>
      [name, { ...(mapUses(entry.keywords) as JsonSchema), ...annotations }] as const,
  );
  return {
    operations: await mapInSteps(interned, (operation) => mapUses(operation) as Operation),
    schemas: Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Returns true if all uses of a schema become references to one component. */
const isComponent = ({ uses, length }: Entry): boolean => uses.length > 1 && length >= MIN_SHARED_LENGTH;

/** Returns the uses of a schema that become one component each, and how its name is set. */
function componentsOf(entry: Entry): readonly NamedUses[] {
  const whole = (uses: readonly Use[]): NamedUses => ({
    uses,
    setName: (name) => {
      entry.name = name;
    },
  });
  if (isComponent(entry)) return [whole(entry.uses)];
  const groups = [...groupBy(entry.uses, ({ annotations }) => JSON.stringify(annotations))];
  const isShared = ([text, uses]: (typeof groups)[number]): boolean =>
    uses.length > 1 && isWorthSharing(entry.length + text.length, uses.length);
  const others = groups.filter((group) => !isShared(group)).flatMap(([, uses]) => uses);
  return [
    ...groups.filter(isShared).map(([text, uses]) => ({
      uses,
      setName: (name: string) => void entry.annotated.set(text, { name, annotations: uses[0]!.annotations }),
    })),
    ...(others.length > 1 && isWorthSharing(entry.length, others.length) ? [whole(others)] : []),
  ];
}

/** Returns the paths of the uses under the field name that most uses have. */
function commonPathsOf(uses: readonly Use[]): readonly (readonly string[])[] {
  const byField = groupBy(uses, ({ path }) => path.slice(1).findLast((field) => !PART_KEYS.has(field)));
  const [most] = [...byField.values()].toSorted((a, b) => b.length - a.length);
  return most!.map(({ path }) => path);
}

/** Returns the annotations that all uses share; null if they differ. */
function commonAnnotationsOf({ uses }: Entry): Annotations | null {
  const [{ annotations }] = uses as [Use, ...Use[]];
  const text = JSON.stringify(annotations);
  return uses.every((use) => JSON.stringify(use.annotations) === text) ? annotations : null;
}

/** Returns the schema of a use: a reference, or the schema itself if it is not shared. */
function schemaOf({ entry, annotations }: Use): JsonSchema {
  const annotated = entry.annotated.get(JSON.stringify(annotations));
  if (annotated !== undefined) return { $ref: `#/components/schemas/${annotated.name}` };
  if (entry.name === null) return { ...(mapUses(entry.keywords) as JsonSchema), ...annotations };
  return {
    $ref: `#/components/schemas/${entry.name}`,
    ...(commonAnnotationsOf(entry) === null && annotations),
  };
}

/** Copies a value with each use replaced by its schema. */
function mapUses(value: unknown): unknown {
  if (value instanceof Use) return schemaOf(value);
  if (Array.isArray(value)) return value.map(mapUses);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapUses(member)]));
}

/**
 * Copies an operation with each of its schemas mapped; `place`: whether it describes a request or a response, and the name
 * of the parameter.
 */
function mapSchemas(
  value: unknown,
  map: (schema: JsonSchema, place: Place) => unknown,
  place: Place = { kind: "response" },
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapSchemas(item, map, place));
  if (typeof value !== "object" || value === null) return value;
  const { name } = value as { readonly name?: unknown };
  const here = typeof name === "string" ? { ...place, parameter: name } : place;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (SCHEMA_KEY.test(key)) return [key, map(member, here)];
      if (VALUE_KEYS.has(key)) return [key, member];
      const isRequest = key === "requestBody" || key === "parameters";
      return [key, mapSchemas(member, map, isRequest ? { kind: "request" } : here)];
    }),
  );
}
