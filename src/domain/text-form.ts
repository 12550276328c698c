import { z } from "zod";

/** Metadata key: how to write the object as text. Language models are shown this instead of the object. */
export const TEXT_FORM = "textForm";

/** Returns a schema of an object that can also be written as text. `parse` returns other text unchanged. */
export const withTextForm = <Schema extends z.ZodType>(
  schema: Schema,
  { form, parse }: { readonly form: string; readonly parse: (text: string) => unknown },
) =>
  z
    .preprocess((value) => (typeof value === "string" ? (jsonObject(value) ?? parse(value)) : value), schema)
    .meta({ [TEXT_FORM]: form });

function jsonObject(text: string): object | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const PAIR = /(\w+)\s*=\s*([^=;]*?)\s*(?=[;,\s]\s*\w+\s*=|;?\s*$)/g;

/** Parses `fast=10, slow=20` to its values by name. Returns text without such pairs unchanged. */
export function namedValues(text: string): Readonly<Record<string, string>> | string {
  const pairs = [...text.matchAll(PAIR)].map(([, name, value]) => [name!, value!] as const);
  return pairs.length === 0 ? text : Object.fromEntries(pairs);
}
