import type { z } from "zod";

/** The answer of a read under an address of its own. */
export interface ResourceDef {
  /** The whole address; each {variable} is a field of the input, and no other field is required: signal://{symbol}/{timeframe}. */
  readonly template: string;
  readonly title: string;
  readonly description: string;
}

/** A path on which changes arrive as they are noticed, until whoever listens leaves. */
export interface StreamDef {
  /** "GET /api/v1/path", whole, without parameters: what is followed stands in the query. */
  readonly route: string;
  readonly title: string;
  readonly description: string;
}

/** What of a tool is looked at here. */
interface FollowableTool {
  readonly name: string;
  readonly effect: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly resource?: ResourceDef;
  readonly stream?: StreamDef;
}

/** The field of a stream's input that takes a cursor, to go on after it. */
export const AFTER_FIELD = "after";
/** The field of a stream's input by which it begins in the past. */
export const SINCE_FIELD = "since";
/** What a tool with a stream answers, of which following lives. */
const PAGE_FIELDS = ["changes", "cursor", "more", "watching"] as const;

/** The names in a template, in order. */
export const variablesOf = ({ template }: Pick<ResourceDef, "template">): readonly string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/**
 * The fields that an address holds, decoded; null where it is none of this template. All variables but the last may hold a
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
    return null; // not percent-encoded UTF-8: the address of nothing
  }
}

/** Throws where a resource or a stream could not be served. */
export function checkFollowable({ name, effect, input, output, resource, stream }: FollowableTool): void {
  const fail = (what: string): never => {
    throw new Error(`"${name}" ${what}`);
  };
  if (resource === undefined && stream === undefined) return;
  if (effect !== "read") fail("can be followed and is no read");
  if (resource !== undefined) {
    const names = variablesOf(resource);
    if (!/^[a-z][a-z0-9+.-]*:\/\/\{/.test(resource.template)) fail("has a resource without an address");
    const stray = names.find((one) => !(one in input.shape));
    if (stray !== undefined) fail(`has a resource whose {${stray}} is not a field of input`);
    if (new Set(names).size < names.length) fail("has a resource that names a field twice");
    const left = Object.keys(input.shape).find(
      (field) => !names.includes(field) && input.shape[field]?.safeParse(undefined).success === false,
    );
    if (left !== undefined) fail(`has a resource that leaves out "${left}"`);
    if ("media" in output.shape) fail("has a resource, which carries no file");
  }
  if (stream !== undefined) {
    if (!/^GET \/api\/[\w/-]+$/.test(stream.route))
      fail("has a stream whose route is no GET of a plain path");
    if (!(AFTER_FIELD in input.shape)) fail(`has a stream and takes no "${AFTER_FIELD}"`);
    const missing = PAGE_FIELDS.find((field) => !(field in output.shape));
    if (missing !== undefined) fail(`has a stream and does not answer "${missing}"`);
  }
}
