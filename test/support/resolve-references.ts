/**
 * Returns the paths of an OpenAPI document with each reference replaced by its component. Keywords beside a reference
 * replace those of the component.
 */
export function resolvedPaths(document: any): Record<string, any> {
  const resolved = (value: any): any => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== "object" || value === null) return value;
    const { $ref: reference, ...beside } = value;
    if (typeof reference !== "string")
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)]));
    const [, ...names] = reference.split("/");
    return { ...resolved(names.reduce((found, name) => found[name], document)), ...beside };
  };
  return resolved(document.paths);
}
