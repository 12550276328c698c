import { expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../../src/app/catalogue.ts";

type Json = { readonly [key: string]: any };

/** Inputs of any size, with what bounds them. */
const UNBOUNDED: Readonly<Record<string, string>> = {
  "verify_receipt /receipt": "a receipt contains all inputs of its signal; the body limit of the tool",
};

/** Published patterns of any length, with the check that bounds them. */
const CHECKED_PATTERNS: ReadonlySet<string> = new Set([
  "^\\d{4}-\\d\\d-\\d\\d(T\\S+)?$", // as_of: the whole format is checked after the published pattern
]);

/** Returns true if a regular expression accepts no text of unlimited length. */
function isLimited(pattern: string): boolean {
  const withoutLookaheads = pattern.replaceAll(/\(\?[!=][^()]*(\([^()]*\)[^()]*)*\)/g, "");
  const withoutClasses = withoutLookaheads.replaceAll(/\\.|\[[^\]]*\]/g, "x");
  return /^\^.*\$$/.test(pattern) && !/[*+]|\{\d+,\}/.test(withoutClasses);
}

/** Returns the paths of all texts, lists and records in a schema that have no maximum size. */
function unboundedIn(schema: Json, path: string): readonly string[] {
  const { type, pattern, properties = {}, items, additionalProperties } = schema;
  const values = schema.enum !== undefined || schema.const !== undefined;
  const record = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const bounded =
    (type !== "string" ||
      values ||
      schema.maxLength !== undefined ||
      isLimited(pattern ?? "") ||
      CHECKED_PATTERNS.has(pattern)) &&
    (type !== "array" || schema.maxItems !== undefined) &&
    (record === undefined || schema.maxProperties !== undefined);
  const parts: (readonly [Json | undefined, string])[] = [
    ...Object.entries<Json>(properties).map(([name, part]) => [part, `${path}/${name}`] as const),
    ...["anyOf", "oneOf", "allOf"].flatMap((key) => (schema[key] ?? []).map((part: Json) => [part, path])),
    [items, `${path}[]`],
    [record, `${path}{}`],
  ];
  return [
    ...(bounded ? [] : [path]),
    ...parts.flatMap(([part, at]) => (part === undefined || UNBOUNDED[path] ? [] : unboundedIn(part, at))),
  ];
}

it.each(Object.values(catalogue))("every text, list and record in the input of $name is bounded", (tool) => {
  const schema = z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" });
  const found = unboundedIn(schema, `${tool.name} `).filter((path) => UNBOUNDED[path] === undefined);
  expect(found).toEqual([]);
});

it.each([
  ["a text", z.string()],
  ["a list", z.array(z.number())],
  ["a record", z.record(z.string().max(4), z.number())],
  ["a text in a list", z.array(z.string()).max(4)],
  ["a pattern without an end", z.string().regex(/^\d{2}/)],
  ["a pattern of any length", z.string().regex(/^a+$/)],
])("%s without a maximum is found", (_, field) => {
  const schema = z.toJSONSchema(z.object({ field }), { io: "input" });
  expect(unboundedIn(schema, "")).not.toEqual([]);
});
