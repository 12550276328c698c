/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns true for an object that is neither null nor a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
