/**
 * Returns the paths of an OpenAPI document with each reference replaced by its component. Keywords beside a reference
 * replace those of the component. Schemas in `allOf` become part of the schema that has them; the names of required fields
 * are sorted there.
 */
export function resolvedPaths(document: any): Record<string, any> {
  const resolved = (value: any): any => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== "object" || value === null) return value;
    const { $ref: reference, ...beside } = value;
    if (typeof reference !== "string")
      return merged(
        Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)])),
      );
    const [, ...names] = reference.split("/");
    return { ...resolved(names.reduce((found, name) => found[name], document)), ...beside };
  };
  return resolved(document.paths);
}

/** Merges the object schemas of `allOf` into their schema. Throws if a field is in two of them. */
function merged({ allOf, ...schema }: any): any {
  if (!Array.isArray(allOf)) return schema;
  const parts = [...allOf, { properties: {}, required: [], ...schema }];
  const fields = parts.flatMap(({ properties }) => Object.entries(properties));
  const properties = Object.fromEntries(fields);
  if (Object.keys(properties).length < fields.length) throw new Error("allOf: a field occurs twice");
  const required = parts.flatMap((part) => part.required ?? []).toSorted();
  return { ...schema, properties, ...(required.length > 0 && { required }) };
}
