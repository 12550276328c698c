import fc from "fast-check";
import { z } from "zod";
import type { Registry } from "../../src/kernel/registry.ts";
import { resolvedPaths } from "../support/resolve-references.ts";
import { input, nastyJson, nastyText, nastyValue, type Schema } from "./from-schema.ts";
import {
  authorizations,
  bytesOf,
  type FuzzRequest,
  oddHeaders,
  percent,
  type Reply,
} from "./fuzz-request.ts";
import { usually } from "./rpc.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: Schema; examples?: object }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, any>> }>>;
}

const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
] as const;
const TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  "application/problem+json",
  "text/plain",
  "multipart/form-data; boundary=",
  "application/x-www-form-urlencoded",
  "a",
  "",
] as const;

const LONGEST = 8_000;

/** Requests generated from the OpenAPI document that the server serves, and requests outside it. */
export function restRequests(
  document: any,
  credentials: readonly Readonly<Record<string, string>>[],
  { tools }: Registry,
): fc.Arbitrary<FuzzRequest> {
  // zod requires a whole URL for a URI reference
  const problem = z.fromJSONSchema(
    JSON.parse(
      JSON.stringify(document.components.schemas.Problem).replaceAll(',"format":"uri-reference"', ""),
    ),
  );
  const outputs = new Map(tools.map(({ name, output }) => [name, output]));
  const toolOf = ({ operationId }: Operation) => operationId.replace(/_alias_\d+$/, "");
  // Operations that belong to a protocol have their own fuzz test.
  const operations = Object.entries<any>(resolvedPaths(document))
    .flatMap(([path, item]) =>
      Object.entries<Operation>(item).map(([verb, operation]) => ({
        path,
        verb: verb.toUpperCase(),
        operation,
      })),
    )
    .filter(({ operation }) => outputs.has(toolOf(operation)));

  /** Checks that the status is documented and that the body matches the documented schema. */
  function judge(reply: Reply, method: string, operation: Operation | null): string | null {
    const { status, type, text } = reply;
    if (status >= 500) return `${status}`;
    if (operation !== null && status < 400 && !(status in operation.responses))
      return `${status} is not documented`;
    if (method === "HEAD" || status === 204 || status === 304)
      return text === "" ? null : `a body with ${status}`;
    if (status >= 400) {
      if (type !== "application/problem+json") return `${status} as ${type}`;
      const parsed = problem.safeParse(JSON.parse(text));
      if (!parsed.success) return `${status} is not a problem document: ${parsed.error.message}`;
      const { status: reported, code } = parsed.data as { status: number; code: string };
      if (reported !== status) return `${status} reports another status`;
      const documented = operation?.responses["4XX"]?.content?.[type]?.examples;
      return documented === undefined || documented[code]?.value.status === status
        ? null
        : `${status} with ${code} is not documented`;
    }
    if (operation === null) return null;
    if (operation.responses[status]?.content?.[type] === undefined) return `${status} as ${type}`;
    if (type !== "application/json") return null;
    const parsed = outputs.get(toolOf(operation))?.safeParse(JSON.parse(text));
    return parsed?.success === true ? null : `${status} does not fit the output: ${parsed?.error.message}`;
  }

  const of = ({ path, verb, operation }: (typeof operations)[number]): fc.Arbitrary<FuzzRequest> => {
    const parameters = operation.parameters ?? [];
    const body = operation.requestBody?.content["application/json"];
    const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    const required = parameters.filter((one) => one.required).map(({ name }) => name);
    const example = Object.fromEntries(
      parameters.flatMap(({ name, example: value }) => (value === undefined ? [] : [[name, value]])),
    );
    const values = input({ type: "object", properties, required }, [example]);
    const examples = Object.values((body?.examples ?? {}) as Record<string, { value: unknown }>);
    const bodies =
      body === undefined
        ? fc.constant("")
        : fc.oneof(
            {
              weight: 4,
              arbitrary: input(
                body.schema,
                examples.map(({ value }) => value),
              ).map((one) => JSON.stringify(one)),
            },
            { weight: 1, arbitrary: nastyJson() },
          );
    return fc
      .record({
        values,
        method: usually<string>(verb, fc.constantFrom(...METHODS), 8),
        bytes: bytesOf(bodies),
        strange: usually<string | null>(null, nastyJson(), 20),
        type: usually<string>("application/json", fc.constantFrom(...TYPES), 15),
        twice: usually<unknown>(undefined, nastyValue(), 15),
        mangle: usually<(made: string) => string>((made) => made, manglings(), 12),
        auth: authorizations(credentials),
        odd: oddHeaders(),
      })
      .map(({ values: given, method, bytes, strange, type, twice, mangle, auth, odd }): FuzzRequest => {
        const inPath = new Set(parameters.filter((one) => one.in === "path").map(({ name }) => name));
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => percent(textOf(given[name])));
        const fields = Object.entries(given).filter(([name]) => !inPath.has(name));
        const doubled = twice === undefined || fields.length === 0 ? [] : [[fields[0]![0], twice] as const];
        const query = [...fields, ...doubled].map(
          ([name, value]) => `${percent(name)}=${percent(textOf(value))}`,
        );
        const made = `${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`;
        // The HTTP parser itself rejects anything longer with 431.
        const sent = mangle(made).slice(0, LONGEST);
        const content = strange === null ? bytes : Buffer.from(strange);
        const carries = content.length > 0 && (body !== undefined || strange !== null);
        const documented = method === verb && sent === made && !/\/(\?|$)|\/\.{1,2}(\/|\?|$)/.test(made);
        return {
          transport: "REST",
          method,
          path: sent,
          headers: {
            ...auth,
            ...odd,
            ...(carries && { "content-type": type, "content-length": String(content.length) }),
          },
          body: carries ? content : null,
          judge: (reply) => judge(reply, method, documented ? operation : null),
        };
      });
  };
  return fc.oneof(...operations.map(of));
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Ways to corrupt a path and its query. */
const manglings = (): fc.Arbitrary<(made: string) => string> =>
  fc.oneof(
    fc
      .constantFrom(
        "/",
        "//",
        "%",
        "%zz",
        "%00",
        "%ff",
        "/..",
        "/%2e%2e/x",
        "?",
        "?&&==&",
        "?__proto__=1",
        ";a=b",
        "?%=%",
        "?a=%c3%28",
      )
      .map((tail) => (made: string) => made + tail),
    fc.constant((made: string) => made.replace("/api/", "/API//")),
    fc.constant((made: string) => `/${made}`),
    nastyText().map(
      (text) => (made: string) => made.replace(/\/[^/]*$/, `/${percent(text)}`.slice(0, 4_000)),
    ),
  );
