import fc from "fast-check";
import { resolvedPaths } from "../support/resolve-references.ts";
import { fitting, type Schema } from "./from-schema.ts";
import type { SiteRequest } from "./proof-server.ts";

/** A way for callers to send text of their own, and a request for each of its values. */
export interface CallerOption {
  /** What it is an option of. */
  readonly operation: string;
  readonly name: string;
  /** Values that a caller may send; each has many spellings. */
  readonly values: fc.Arbitrary<unknown>;
  requestOf(value: unknown): SiteRequest;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, any>> }>
    >;
  };
}

/** What the values are made of; the simulated market of another symbol or day takes long to compute. */
export interface Variety {
  readonly symbols: readonly string[];
  /** Number of days. */
  readonly days: number;
}

/** Options with at most this number of different values are no text of a caller. */
const FEW_VALUES = 32;
const FIRST_DATE = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

/**
 * Every option of an OpenAPI document whose value is a list, a text or a number: fields of paths, queries, headers and
 * bodies. All others of a request are as in its example.
 */
export function documentedOptions(document: any, variety: Variety): readonly CallerOption[] {
  return Object.entries<any>(resolvedPaths(document)).flatMap(([path, item]) =>
    Object.entries<Operation>(item).flatMap(([verb, operation]) => {
      const parameters = operation.parameters ?? [];
      const body = operation.requestBody?.content["application/json"];
      const examples = Object.values(body?.examples ?? {}).map(({ value }) => value);
      const given = Object.fromEntries(
        parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
      );
      const requestOf = (part: string, name: string, value: unknown): SiteRequest => {
        const fields = part === "body" ? given : { ...given, [name]: value };
        const [example = {}] = [...examples.filter((one) => name in one), ...examples];
        const texts = (place: Parameter["in"]) =>
          parameters
            .filter((one) => one.in === place && fields[one.name] !== undefined)
            .map((one) => [one.name, textOf(fields[one.name])] as [string, string]);
        const query = new URLSearchParams(texts("query"));
        const inPath = new Map(texts("path"));
        const filled = path.replace(/\{(\w+)\}/g, (_, field: string) =>
          encodeURIComponent(inPath.get(field) ?? "x"),
        );
        return {
          method: verb.toUpperCase(),
          path: query.size === 0 ? filled : `${filled}?${query}`,
          headers: Object.fromEntries(texts("header").map(([field, text]) => [field, asHeader(text)])),
          ...(body !== undefined && { body: part === "body" ? { ...example, [name]: value } : example }),
        };
      };
      const inBody = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) => ({
        name,
        in: "body",
        schema,
        example: examples.find((one) => name in one)?.[name],
      }));
      return [...parameters, ...inBody]
        .filter(({ schema }) => hasManyValues(schema))
        .map(({ name, in: part, schema, example }) => ({
          operation: operation.operationId,
          name: `${verb.toUpperCase()} ${path} ${name}`,
          values: spelled(schema, example, variety),
          requestOf: (value: unknown) => requestOf(part, name, value),
        }));
    }),
  );
}

function hasManyValues({ type, const: only, enum: names, minimum = -1e6, maximum = 1e6 }: Schema): boolean {
  if (only !== undefined || names !== undefined || type === "boolean") return false;
  return type !== "integer" || maximum - minimum >= FEW_VALUES;
}

/** Values of a schema: those that it allows, and for a text or list other spellings and orders of valid ones. */
function spelled(schema: Schema, example: unknown, { symbols, days }: Variety): fc.Arbitrary<unknown> {
  const { type, items = {}, pattern, format } = schema;
  const fits = fitting(schema);
  if (type === "array") {
    const names = items.enum?.map(String) ?? textsOf(example) ?? symbols;
    return fc.oneof(fits, listOf(names === symbols || isSymbol(names, symbols) ? symbols : names));
  }
  if (type !== "string") return fits;
  const isDate = format?.startsWith("date") || (pattern !== undefined && /\\d\{4\}-/.test(pattern));
  if (isDate) return fc.oneof({ weight: 4, arbitrary: datesWithin(days) }, { weight: 1, arbitrary: fits });
  if (pattern !== undefined || format !== undefined) return fits;
  if (typeof example !== "string") return fc.oneof(fits, cased(fc.constantFrom(...symbols)));
  if (isSymbol([example], symbols)) return fc.oneof(cased(fc.constantFrom(...symbols)), fits);
  return fc.oneof(
    fits,
    listOf(example.split(/[,\s]+/)).map((names) => names.join(",")),
    fc.tuple(cased(fc.constant(example)), fc.nat()).map(([text, i]) => `${text} ${i}`),
  );
}

const textsOf = (example: unknown): readonly string[] | null =>
  Array.isArray(example) && example.length > 0 ? example.map(String) : null;

const isSymbol = (names: readonly string[], symbols: readonly string[]): boolean =>
  names.every((name) => symbols.includes(name.replace("/", "-").toUpperCase()));

/** Names in any order, number, case and spacing. */
export const listOf = (names: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.array(cased(fc.constantFrom(...names)), { minLength: 1, maxLength: 12 });

/** A text in upper and lower case, with spaces around it. */
const cased = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.mixedCase(text), fc.constantFrom("", " ", "  ", "\t"), fc.nat(3))
    .map(([plain, mixed, space, kind]) =>
      kind === 0 ? plain : kind === 1 ? plain.toLowerCase() : kind === 2 ? mixed : `${space}${plain}${space}`,
    );

const datesWithin = (days: number): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(days - 1), fc.nat(DAY), fc.nat(2)).map(([day, ms, kind]) => {
    const time = new Date(FIRST_DATE + day * DAY + ms).toISOString();
    return kind === 0 ? time.slice(0, 10) : kind === 1 ? time : `${time.slice(0, 19)}Z`;
  });

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : Array.isArray(value)
      ? value.map(textOf).join(",")
      : (JSON.stringify(value) ?? "");

/** A text without what a header cannot carry. */
const asHeader = (text: string): string => text.replaceAll(/[^ -~]/g, "x");
