import { Hono } from "hono";
import { invoke } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Tool } from "../../kernel/tool.ts";
import { queryFields } from "../http/paths.ts";
import { routeGet } from "../http/problem.ts";
import { rateLimitHeaders } from "../http/rate-limit-headers.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { type InputSchema, parseInput } from "../rest/input.ts";

/** Path under which the answer of a tool is a table; under /api, where callers are identified. */
export const WORKSPACE_ROWS_PATH = "/api/workspace";

/** A list whose records have fewer fields is a remark beside the answer, such as other meanings of a name. */
const MIN_FIELDS = 4;
/** Field of the output that holds a picture. */
const PICTURE = "media";

/** The part of a published schema from which tables are made. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

/** Serves the answers of tools as lists of flat records, which tables of OpenBB Workspace read. */
export function rowsRoute({ ports }: HttpServerDeps, tools: readonly Tool[]): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  for (const tool of tools) {
    const path = `${WORKSPACE_ROWS_PATH}/${tool.name}`;
    const schema: InputSchema = jsonSchemaOf(tool.input, "input");
    routeGet(app, path, async (c) => {
      // a widget sends its empty fields and its colours too
      const unread = [...queryFields(c.req.url)]
        .filter(([name, values]) => !(name in (schema.properties ?? {})) || values.every((one) => one === ""))
        .map(([name]) => name);
      const output = await invoke(
        tool,
        () => parseInput(c.req.raw, schema, path, { reservedParameters: unread }),
        {
          ports,
          principal: c.get("principal"),
          admitted: c.get("admitted"),
          transport: "rest",
          signal: c.req.raw.signal,
          requestId: c.get("requestId"),
          detail: "full",
        },
      );
      return c.json(rowsOf(tool, output as Readonly<Record<string, unknown>>), 200, {
        "cache-control": "no-store",
        ...(await rateLimitHeaders(ports.meters, c.get("principal"))),
      });
    });
  }
  return app;
}

/** Returns the name of the first list of records in the output of a tool; null if its answer is one record. */
function listIn({ output }: Pick<Tool, "output">): string | null {
  const { properties = {} } = jsonSchemaOf(output, "output") as Schema;
  const found = Object.entries(properties).find(
    ([, field]) => Object.keys(given(given(field).items ?? {}).properties ?? {}).length >= MIN_FIELDS,
  );
  return found?.[0] ?? null;
}

/** Returns an answer as the rows of its list; if it has none, with one row per field. */
export function rowsOf(
  tool: Pick<Tool, "output">,
  output: Readonly<Record<string, unknown>>,
): readonly Row[] {
  const list = listIn(tool);
  const records = list === null ? [] : ((output[list] ?? []) as readonly object[]);
  if (records.length === 0) return fieldsIn(output).map(([field, value]) => ({ field, value }));
  return records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, cellOf(value)])),
  );
}

/** Returns the fields of an answer with those of its objects, each under its path. */
const fieldsIn = (object: object, path: readonly string[] = []): readonly (readonly [string, Cell])[] =>
  Object.entries(object).flatMap(([name, value]) => {
    if (path.length === 0 && name === PICTURE) return [];
    const at = [...path, name];
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? fieldsIn(value, at)
      : [[at.join("."), cellOf(value)] as const];
  });

/** Returns a value as one cell: lists of texts in words, other lists and objects as JSON. */
function cellOf(value: unknown): Cell {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join("; ");
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return (value ?? null) as Cell;
}

/** Returns the schema of a value that is present. */
const given = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== "null") ?? schema;

/** Returns the name of a field or view as words: "touch_strike" becomes "Touch strike". */
export const inWords = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
