import type { z } from "zod";

/** A resource: the result of a read tool under its own URI. */
export interface ResourceDef {
  /**
   * URI template, such as signal://{symbol}/{timeframe}; each {variable} is an input field, and the tool requires no
   * other field.
   */
  readonly template: string;
  readonly title: string;
  readonly description: string;
}

/** A path that streams what a tool reads as it changes, until the client disconnects. */
export interface StreamDef {
  /**
   * `changes`: every change once, in order, with a cursor to resume after. `quotes`: the newest price of each symbol;
   * prices that a slow reader misses are skipped. Default: changes.
   */
  readonly of?: "changes" | "quotes";
  /** "GET /api/v1/path" without parameters; the query says what to follow. */
  readonly route: string;
  readonly title: string;
  readonly description: string;
  /** Input field that makes the answer the same for all accounts, so that streams share it. Default: none. */
  readonly sharedWith?: string;
}

/** The part of a tool that is checked here. */
interface FollowableTool {
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly name: string;
  readonly effect: string;
  readonly resource?: ResourceDef;
  readonly http?: { readonly stream?: StreamDef };
}

/** The input field of a stream that takes the cursor to resume after. */
export const AFTER_FIELD = "after";
/** The input field of a stream that takes a start in the past. */
export const SINCE_FIELD = "since";
/** Output fields that a tool must have, by what its stream sends. */
const STREAM_FIELDS = {
  changes: ["changes", "cursor", "more", "watching"],
  quotes: ["quotes", "watching"],
} as const;

/** Returns the variable names in a template, in order. */
export const variablesOf = ({ template }: Pick<ResourceDef, "template">): readonly string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/**
 * Parses the fields of a URI; null if it does not match the template. All variables but the last may contain a
 * slash, as the pair BTC/USD does.
 */
export function fieldsIn(
  { template }: Pick<ResourceDef, "template">,
  uri: string,
): Readonly<Record<string, string>> | null {
  const names = variablesOf({ template });
  const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = parts.reduce(
    (whole, part, i) => `${whole}${i === names.length ? "([^/?#]+)" : "([^?#]+)"}${part}`,
  );
  const found = new RegExp(`^${pattern}$`).exec(uri);
  if (found === null) return null;
  try {
    return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1]!)]));
  } catch {
    return null; // not percent-encoded UTF-8
  }
}

/** Throws if the resource or the stream of a tool cannot be served. */
export function checkFollowable({ name, effect, input, output, resource, http }: FollowableTool): void {
  const stream = http?.stream;
  const fail = (what: string): never => {
    throw new Error(`"${name}" ${what}`);
  };
  if (resource === undefined && stream === undefined) return;
  if (effect !== "read") fail("can be followed but is not a read tool");
  if (resource !== undefined) {
    const names = variablesOf(resource);
    if (!/^[a-z][a-z0-9+.-]*:\/\/\{/.test(resource.template)) fail("has a resource without an address");
    const stray = names.find((variable) => !(variable in input.shape));
    if (stray !== undefined) fail(`has a resource whose {${stray}} is not a field of input`);
    if (new Set(names).size < names.length) fail("has a resource that names a field twice");
    const required = Object.keys(input.shape).find(
      (field) => !names.includes(field) && input.shape[field]?.safeParse(undefined).success === false,
    );
    if (required !== undefined) fail(`has a resource that leaves out "${required}"`);
    if ("media" in output.shape) fail("has a resource but returns a file");
  }
  if (stream !== undefined) {
    if (!/^GET \/api\/[\w/-]+$/.test(stream.route))
      fail("has a stream whose route is not a GET of a plain path");
    const { of = "changes", sharedWith } = stream;
    if (sharedWith !== undefined && !(sharedWith in input.shape))
      fail(`has a stream but no "${sharedWith}" input`);
    if (of === "changes" && !(AFTER_FIELD in input.shape)) fail(`has a stream but no "${AFTER_FIELD}" input`);
    const missing = STREAM_FIELDS[of].find((field) => !(field in output.shape));
    if (missing !== undefined) fail(`has a stream but no "${missing}" output`);
  }
}
