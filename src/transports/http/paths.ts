import { ToolError } from "../../kernel/errors.ts";
import { routesOf } from "../../kernel/registry.ts";
import type { Tool } from "../../kernel/tool.ts";

/** A tool with one of its verbs and paths. */
export interface Endpoint {
  readonly verb: string;
  /** Path template, such as `/api/v1/thing/:name`. */
  readonly path: string;
  readonly tool: Tool;
}

/** A path to register, with one endpoint per verb. */
export interface PathRow {
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
}

/** Returns every path of the tools with all its verbs, in match order: literal segments before parameters. */
export function pathTable(tools: readonly Tool[]): readonly PathRow[] {
  const documented = endpointsOf(tools);
  const rows = new Map<string, { path: string; endpoints: Endpoint[] }>();
  const add = (path: string, endpoint: Endpoint) => {
    const shape = path.replaceAll(/:\w+/g, "\uffff");
    const row = rows.get(shape) ?? { path, endpoints: [] };
    if (!row.endpoints.some(({ verb }) => verb === endpoint.verb)) row.endpoints.push(endpoint);
    rows.set(shape, row);
  };
  for (const endpoint of documented) add(endpoint.path, endpoint);
  // the last parameter may contain one slash, as in the pair BTC/USD
  for (const endpoint of documented)
    if (/\/:\w+$/.test(endpoint.path)) add(`${endpoint.path}/:quote`, endpoint);
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Returns the documented endpoints of the tools, including aliases. */
export const endpointsOf = (tools: readonly Tool[]): readonly Endpoint[] =>
  tools.flatMap((tool) =>
    routesOf(tool).map((route) => {
      const [verb, path] = route.split(" ") as [string, string];
      return { verb, path, tool };
    }),
  );

/** Returns the percent-encoded path of a URL, without query and trailing slash. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const end = url.slice(start).search(/[?#]/);
  const path = end === -1 ? url.slice(start) : url.slice(start, start + end);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Returns the path parameters of a URL; a parameter at the end of the template takes all remaining segments. */
export function pathFields(template: string, url: string): Record<string, string> {
  const names = template.split("/");
  const segments = pathOf(url).split("/");
  const fields: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    if (!name.startsWith(":")) continue;
    const raw = at === names.length - 1 ? segments.slice(at).join("/") : (segments[at] ?? "");
    fields[name.slice(1)] = decoded(raw, "path");
  }
  return fields;
}

/**
 * Paths whose POSTs carry JSON-RPC messages of MCP. Their transport counts the messages once it has read them; requests
 * to all other paths are counted before their body is read.
 */
export const MESSAGE_PATHS = { mcp: "/api/mcp", sse: "/api/mcp/sse/messages" } as const;

/** Query parameter of a stream that holds a stream token. Keys are never read from a URL. */
export const STREAM_TOKEN_PARAMETER = "stream_token";

/** Returns the query parameters of a URL with all their values, in order. */
export function queryFields(url: string): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  const at = url.indexOf("?");
  if (at === -1) return fields;
  for (const part of url
    .slice(at + 1)
    .replace(/#.*$/s, "")
    .split("&")) {
    if (part === "") continue;
    const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(part.replaceAll("+", " ")) ?? [];
    const key = decoded(name, "query");
    const values = fields.get(key) ?? [];
    values.push(decoded(value, "query"));
    fields.set(key, values);
  }
  return fields;
}

function decoded(text: string, where: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `The ${where} is not percent-encoded UTF-8`, {
      hint: "Encode each value, for example with encodeURIComponent.",
      cause,
    });
  }
}

/**
 * Returns a function that finds the known path most similar to an unknown one, or null if none is similar enough. It
 * reads at most 200 characters.
 */
export function nearestPathOf(known: readonly string[]): (path: string) => string | null {
  const candidates = known.map((path) => {
    const segments = path.split("/");
    return { path, segments, pairs: pairsOf(withoutParameters(segments, segments)) };
  });
  return (path) => {
    const given = path.slice(0, 200).split("/");
    // templates with parameters at the same places compare the same text
    const pairsByText = new Map<string, ReadonlySet<string>>();
    const requestedPairs = (text: string) => {
      const pairs = pairsByText.get(text) ?? pairsOf(text);
      pairsByText.set(text, pairs);
      return pairs;
    };
    let best: string | null = null;
    let bestScore = 0;
    for (const { path: candidate, segments, pairs } of candidates) {
      const requested = requestedPairs(withoutParameters(given, segments));
      let shared = 0;
      for (const pair of pairs) if (requested.has(pair)) shared++;
      const score = (2 * shared) / (pairs.size + requested.size);
      if (score > bestScore) [best, bestScore] = [candidate, score];
    }
    return bestScore >= 0.6 ? best : null;
  };
}

/** Joins the segments that are not at the place of a parameter of the template. */
const withoutParameters = (segments: readonly string[], template: readonly string[]): string =>
  segments.filter((_, at) => template[at]?.startsWith(":") !== true).join("/");

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.toLowerCase()].slice(1).map((end, i) => text[i] + end));
