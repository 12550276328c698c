import type { JsonSchema } from "../../kernel/publish.ts";
import { mapInSteps } from "../../lib/event-loop.ts";
import { mapSubschemas } from "./subschemas.ts";

/** Smallest number of fields that become a schema of their own. */
const MIN_FIELDS = 3;
/** Smallest number of characters by which such a schema makes the document shorter. */
const MIN_SAVING = 100;
/** Usual length of the JSON of `allOf` with a reference, and of a component without its fields. */
const REFERENCE_LENGTH = 65;
/** Usual length of the JSON of a schema in several places, which becomes a reference if it is longer. */
const MAX_SCHEMA_LENGTH = 50;

/** A field of one or several objects, with its schema, or a group of fields. */
interface Field {
  readonly id: number;
  readonly name: string;
  /** Number of fields: 1, or those of the group. */
  readonly count: number;
  readonly content: { readonly schema: JsonSchema; readonly isRequired: boolean } | { readonly group: Group };
  /** Length of its JSON in an object. */
  readonly length: number;
  /** Objects that have it, and in no group. */
  readonly objects: Set<ObjectSchema>;
}
type Group = readonly Field[];

/** A distinct set of fields of an object. */
interface ObjectSchema {
  readonly id: number;
  /** Its groups, and the fields that are in none. */
  readonly fields: Set<Field>;
}

/**
 * Returns a function that rewrites a schema with `allOf`: fields that several objects of the given schemas have in common
 * are an object schema of their own, equal in each of them, so that it can become a component. Only objects that allow
 * further fields are rewritten.
 */
export async function shareFields(
  schemas: readonly JsonSchema[],
): Promise<(schema: JsonSchema) => JsonSchema> {
  const fields = new Map<string, Field>();
  const objects = new Map<string, ObjectSchema>();

  const collect = (schema: JsonSchema): void => {
    mapSubschemas(schema, collect);
    const key = isOpenObject(schema) ? keyOf(schema) : "";
    if (key === "" || objects.has(key)) return;
    const object: ObjectSchema = { id: objects.size, fields: new Set() };
    objects.set(key, object);
    for (const text of fieldTextsOf(schema)) {
      const field = fields.get(text) ?? newField(fields.size, text);
      fields.set(text, field);
      field.objects.add(object);
      object.fields.add(field);
    }
  };
  await mapInSteps(schemas, collect);
  await groupFields([...objects.values()], fields.size);

  const withGroups = (schema: JsonSchema): JsonSchema => {
    const object = isOpenObject(schema) ? objects.get(keyOf(schema)) : undefined;
    const written = [...(object?.fields ?? [])];
    if (!written.some(({ content }) => "group" in content)) return mapSubschemas(schema, withGroups);
    const { properties: _, required: __, ...rest } = schema;
    const [first, ...others] = written;
    const group = others.length === 0 && "group" in first!.content ? first!.content.group : written;
    return { ...rest, ...keywordsOf(group) };
  };
  const keywordsOf = (group: Group): JsonSchema => {
    const allOf: JsonSchema[] = [];
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const { name, content } of group)
      if ("group" in content) allOf.push({ type: "object", ...keywordsOf(content.group) });
      else {
        properties[name] = withGroups(content.schema);
        if (content.isRequired) required.push(name);
      }
    return {
      ...(allOf.length > 0 && { allOf }),
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
    };
  };
  return withGroups;
}

/** Replaces fields that objects have in common by groups, first those that save most. */
async function groupFields(objects: readonly ObjectSchema[], nextId: number): Promise<void> {
  const savings = new Map<string, { readonly group: Group; readonly saving: number }>();
  const consider = (group: Group): void => {
    const key = group.map(({ id }) => id).join();
    const saving = fieldCountOf(group) < MIN_FIELDS ? 0 : savingOf(group);
    if (saving < MIN_SAVING) savings.delete(key);
    else savings.set(key, { group, saving });
  };
  await mapInSteps(objects, (object) => commonWithLater(object).forEach(consider));
  for (let id = nextId; savings.size > 0; id++) {
    const { group } = [...savings.values()].reduce((best, one) => (one.saving > best.saving ? one : best));
    const users = objectsWith(group);
    const grouped = groupField(id, group, users);
    for (const object of users) {
      object.fields.add(grouped);
      for (const field of group) {
        object.fields.delete(field);
        field.objects.delete(object);
      }
    }
    await mapInSteps([...savings.values()], ({ group: other }) => {
      const rest = other.filter((field) => !group.includes(field));
      if (rest.length === other.length) return;
      consider(other);
      consider(other.length - rest.length === group.length ? [...rest, grouped] : rest);
    });
  }
}

/** Returns the fields that an object has in common with each later one, in the order of their ids. */
function commonWithLater(object: ObjectSchema): readonly Group[] {
  const common = new Map<ObjectSchema, Field[]>();
  for (const field of object.fields)
    for (const other of field.objects) {
      if (other.id <= object.id) continue;
      const group = common.get(other);
      if (group === undefined) common.set(other, [field]);
      else group.push(field);
    }
  return [...common.values()].map((group) => group.toSorted((a, b) => a.id - b.id));
}

const fieldCountOf = (group: Group): number => group.reduce((sum, { count }) => sum + count, 0);

/** Returns the number of characters by which the document is shorter if the fields are one schema. */
function savingOf(group: Group): number {
  const length = group.reduce((sum, field) => sum + field.length, 0);
  return objectsWith(group).length * (length - REFERENCE_LENGTH) - length - REFERENCE_LENGTH;
}

/** Returns the objects that have all fields of the group. */
function objectsWith(group: Group): readonly ObjectSchema[] {
  const [rarest] = group.toSorted((a, b) => a.objects.size - b.objects.size);
  return [...rarest!.objects].filter(({ fields }) => group.every((field) => fields.has(field)));
}

const isOpenObject = ({ type, properties, additionalProperties }: JsonSchema): boolean =>
  type === "object" && properties !== undefined && additionalProperties === undefined;

/** Returns the JSON of each field of an object schema. */
function fieldTextsOf({ properties = {}, required = [] }: JsonSchema): readonly string[] {
  const names = new Set(required as readonly string[]);
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, schema]) =>
    JSON.stringify([name, names.has(name), schema]),
  );
}

const keyOf = (schema: JsonSchema): string => fieldTextsOf(schema).join();

function newField(id: number, text: string): Field {
  const [name, isRequired, schema] = JSON.parse(text) as [string, boolean, JsonSchema];
  const schemaLength = Math.min(JSON.stringify(schema).length, MAX_SCHEMA_LENGTH);
  const length = name.length + 4 + schemaLength + (isRequired ? name.length + 3 : 0);
  return { id, name, count: 1, content: { schema, isRequired }, length, objects: new Set() };
}

const groupField = (id: number, group: Group, users: readonly ObjectSchema[]): Field => ({
  id,
  name: "",
  count: fieldCountOf(group),
  content: { group },
  length: REFERENCE_LENGTH,
  objects: new Set(users),
});
