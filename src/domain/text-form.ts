import { z } from "zod";
import { parseLiteral } from "../lib/json-text.ts";

/** Metadata key: how to write the object as text. Language models are shown this instead of the object. */
export const TEXT_FORM = "textForm";

/**
 * Returns a schema of an object that can also be written as text, or as a list of texts that `separator` joins. Default
 * separator: ` and `. `parse` returns other text unchanged.
 */
export const withTextForm = <Schema extends z.ZodType>(
  schema: Schema,
  {
    form,
    parse,
    separator = " and ",
  }: { readonly form: string; readonly parse: (text: string) => unknown; readonly separator?: string },
) =>
  z
    .preprocess((value) => {
      const literal = typeof value === "string" && /^\s*[[{]/.test(value) ? parseLiteral(value) : undefined;
      const read = literal ?? value;
      const text = isTexts(read) ? read.join(separator) : read;
      return typeof text === "string" ? parse(text) : text;
    }, schema)
    .meta({ [TEXT_FORM]: form });

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");

const PAIR = /(\w+)\s*=\s*([^=;]*?)\s*(?=[;,\s]\s*\w+\s*=|;?\s*$)/g;

/** Parses `fast=10, slow=20` to its values by name. Returns text without such pairs unchanged. */
export function namedValues(text: string): Readonly<Record<string, string>> | string {
  const pairs = [...text.matchAll(PAIR)].map(([, name, value]) => [name!, value!] as const);
  return pairs.length === 0 ? text : Object.fromEntries(pairs);
}
