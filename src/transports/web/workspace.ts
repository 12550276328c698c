import { Hono } from "hono";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Tool, ViewDef } from "../../kernel/tool.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";
import { inWords, rowsRoute, type Schema, WORKSPACE_ROWS_PATH } from "./workspace-rows.ts";

/** Name of this server in the settings of MCP clients, by which widgets find their tools. */
const MCP_SERVER = "market-signal";
/** Columns of the grid on which widgets are placed, and the size of one widget. */
const GRID = { columns: 40, w: 20, h: 14 } as const;
const DATE_PATTERN = "^\\d{4}-\\d\\d-\\d\\d";
/** Workspace knows groups of parameters by these names only. */
const SYMBOL_GROUP = "Group 1";

/** Where the figures of a widget come from, by the market of the server. */
const SOURCES = { sample: SAMPLE_LABEL, files: "FILES", live: "LIVE" } as const;

type MarketMode = keyof typeof SOURCES;
type ViewTool = Tool & { readonly view: ViewDef };
type Field = Schema & {
  readonly enum?: readonly (string | number)[];
  readonly default?: unknown;
  readonly description?: string;
  readonly pattern?: string;
};

interface Parameter {
  readonly paramName: string;
  readonly type: "text" | "number" | "boolean" | "date";
  readonly label: string;
  readonly description: string;
  readonly value: string | number | boolean | null;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
}

/**
 * Serves /widgets.json and /apps.json: every reading tool that names a view, as a table of OpenBB Workspace that is bound
 * to the MCP tool. @see https://docs.openbb.co/workspace/developers/json-specs/widgets-json-reference
 */
export function workspaceRoutes(server: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  const tools = viewTools(server.registry.tools);
  const json = (make: () => unknown) => serveStatic("application/json", () => JSON.stringify(make()));
  routeGet(
    app,
    "/widgets.json",
    json(() => widgetsOf(tools, server.ports.market.mode)),
  );
  routeGet(
    app,
    "/apps.json",
    json(() => appsOf(tools, server.settings.publicUrl)),
  );
  return app.route("/", rowsRoute(server, tools));
}

/** Returns the tools that name a view. A widget is loaded without being asked, so those that write are left out. */
const viewTools = (tools: readonly Tool[]): readonly ViewTool[] =>
  tools.filter((tool): tool is ViewTool => tool.view !== undefined && tool.effect === "read");

/** Returns the content of /widgets.json: a widget per tool, by its name. */
const widgetsOf = (tools: readonly ViewTool[], market: MarketMode) =>
  Object.fromEntries(tools.map((tool) => [tool.name, widgetOf(tool, market)]));

function widgetOf(tool: ViewTool, market: MarketMode) {
  return {
    name: tool.title,
    description: tool.description,
    category: "Market Signal",
    subCategory: inWords(tool.view.name),
    type: "table",
    endpoint: `${WORKSPACE_ROWS_PATH.slice(1)}/${tool.name}`,
    // a POST computes: it runs when it is asked
    runButton: tool.route.startsWith("POST "),
    gridData: { w: GRID.w, h: GRID.h },
    data: { table: { showAll: true } },
    params: parametersOf(tool),
    source: [SOURCES[market]],
    mcp_tool: { mcp_server: MCP_SERVER, tool_id: tool.name },
  };
}

/** Returns the inputs of a tool that a person can type or choose, with the values of its first example. */
function parametersOf({ input, examples }: Tool): readonly Parameter[] {
  const { properties = {} } = jsonSchemaOf(input, "input") as {
    readonly properties?: Readonly<Record<string, Field>>;
  };
  const example = examples[0]!.input as Readonly<Record<string, unknown>>;
  return Object.entries(properties).flatMap(([name, field]) => {
    const type = parameterTypeOf(field);
    if (type === null) return [];
    return {
      paramName: name,
      type,
      label: inWords(name),
      description: field.description ?? inWords(name),
      value: defaultOf(example[name] ?? field.default, type),
      ...(field.enum && { options: field.enum.map(String).map((value) => ({ label: value, value })) }),
    };
  });
}

/** Returns the kind of input for a field; null for one that takes an object. */
function parameterTypeOf({ type, items, enum: options, pattern }: Field): Parameter["type"] | null {
  if (type === "array") return items?.type === "string" ? "text" : null;
  if (type === "boolean") return "boolean";
  if (options === undefined && (type === "number" || type === "integer")) return "number";
  if (type === "number") return "text";
  if (type !== "string") return null;
  return pattern?.startsWith(DATE_PATTERN) ? "date" : "text";
}

function defaultOf(value: unknown, type: Parameter["type"]): Parameter["value"] {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null;
  return type === "number" || type === "boolean" ? (value as number | boolean) : String(value);
}

/** Returns the content of /apps.json: one app with a tab per view, in which all widgets of a symbol follow one symbol. */
function appsOf(tools: readonly ViewTool[], publicUrl: string) {
  const names = [...new Set(tools.map(({ view }) => view.name))];
  const ofSymbol = tools.filter(({ input }) => "symbol" in input.shape).map(({ name }) => name);
  return [
    {
      name: "Market Signal",
      description: "Signals, odds and the screener, each figure with its source and time",
      img: "",
      img_dark: "",
      img_light: "",
      allowCustomization: true,
      tabs: Object.fromEntries(
        names.map((id) => {
          const shown = tools.filter(({ view }) => view.name === id).map(({ name }) => name);
          return [id, { id, name: inWords(id), layout: layoutOf(shown, ofSymbol) }];
        }),
      ),
      groups: [{ name: SYMBOL_GROUP, type: "param", paramName: "symbol", widgetIds: ofSymbol }],
      prompts: tools.map(({ examples }) => examples[0]!.ask),
      mcpServers: [{ name: MCP_SERVER, url: `${publicUrl}/api/mcp`, authType: "token" }],
    },
  ];
}

/** Places widgets in rows from left to right. */
const layoutOf = (names: readonly string[], ofSymbol: readonly string[]) =>
  names.map((name, at) => {
    const perRow = GRID.columns / GRID.w;
    return {
      i: name,
      x: (at % perRow) * GRID.w,
      y: Math.floor(at / perRow) * GRID.h,
      w: GRID.w,
      h: GRID.h,
      groups: ofSymbol.includes(name) ? [SYMBOL_GROUP] : [],
    };
  });
