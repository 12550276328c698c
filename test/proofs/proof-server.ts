import { anonymousPrincipal } from "../../src/access/callers.ts";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Log } from "../../src/domain/ports.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { type Installation, install } from "../support/installation.ts";
import { movingClock } from "../support/store.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { SERVERS } from "./place.ts";

/** An installation on the simulated market, with a clock that the proof moves. */
export interface ProofServer extends Installation {
  readonly clock: ReturnType<typeof movingClock>;
  readonly dir: string;
  /** Events that the server logged as errors. */
  readonly errors: readonly string[];
}

/** Opens a server, or two on PostgreSQL, with the whole catalogue and extra tools. `ran`: run the nightly engine first; default: true. */
export async function openProofServer(
  extra: Readonly<Record<string, Tool>> = {},
  { ran = true, env = {} }: { readonly ran?: boolean; readonly env?: Record<string, string> } = {},
): Promise<ProofServer> {
  const { dir, remove } = suiteDir();
  const clock = movingClock();
  const errors: string[] = [];
  const log: Log = {
    info() {},
    warn() {},
    error: (event, { cause, ...facts } = {}) =>
      void errors.push(`${event}: ${(cause as Error)?.stack ?? cause ?? JSON.stringify(facts)}`),
  };
  const outside = { clock, log, tools: { ...catalogue, ...extra }, servers: SERVERS };
  const installed = await install(dir, "sample", { OAUTH: "on", ...env }, outside);
  if (ran) await installed.app.engine.run({ universe: { name: "all" } });
  return {
    ...installed,
    dir,
    clock,
    errors,
    async stop() {
      await installed.stop();
      remove();
    },
  };
}

/** A request with its client address. */
export interface SiteRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization?: string | null;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Body that is sent unchanged. */
  readonly raw?: string;
}

/** A fault of the server, and a request that waited until its deadline. */
export const BROKEN_STATUSES: ReadonlySet<number> = new Set([500, 504]);

/** Sends a request to the site in process, without a network. */
export async function sendRequest({ site }: Installation, given: SiteRequest): Promise<Response> {
  const request = new Request(`http://127.0.0.1${given.path}`, initOf(given));
  return site.fetch(request, { incoming: { socket: { remoteAddress: given.address ?? "10.0.0.1" } } });
}

/** Reads a response to its end; a stream of events, which may last for ever, is cancelled. */
export async function endResponse(response: Response): Promise<void> {
  if ((response.headers.get("content-type") ?? "").startsWith("text/event-stream"))
    await response.body?.cancel();
  else await response.arrayBuffer();
}

/** Sends a request to a server over the network. */
export const fetchFromServer = (url: string, request: SiteRequest): Promise<Response> =>
  fetch(`${url}${request.path}`, initOf(request));

const initOf = ({ method, authorization = null, headers, body, raw }: SiteRequest): RequestInit => ({
  method,
  headers: {
    ...(authorization !== null && { authorization }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...headers,
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
  ...(raw !== undefined && { body: raw }),
});

/** An example of a tool as a request on one of its routes: path, then query or body. */
export function requestOf(
  route: string,
  input: Readonly<Record<string, unknown>>,
): Pick<SiteRequest, "method" | "path" | "body"> {
  const [method, template] = route.split(" ") as [string, string];
  const left = new Map(Object.entries(input));
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(left.get(name)));
    left.delete(name);
    return value;
  });
  if (method !== "GET") return { method, path, body: Object.fromEntries(left) };
  const query = new URLSearchParams(
    [...left].map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { method, path: query.size === 0 ? path : `${path}?${query}` };
}

const MCP = "/api/mcp?toolsets=all";
export const ACCEPT = { accept: "application/json, text/event-stream" } as const;

/** A call of a tool over MCP. */
export const mcpCall = (
  name: string,
  input: Readonly<Record<string, unknown>>,
): Pick<SiteRequest, "method" | "path" | "headers" | "body"> => ({
  method: "POST",
  path: MCP,
  headers: ACCEPT,
  body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } },
});

/** The JSON of a plain or event-stream response. Rejects with the status and the text if there is none. */
export async function responseJson(response: Response): Promise<any> {
  const text = await response.text();
  const isStream = (response.headers.get("content-type") ?? "").includes("text/event-stream");
  const json = isStream ? /(?:^|\n)data: (\{.*)/.exec(text)?.[1] : text;
  if (!json?.startsWith("{"))
    throw new Error(
      `No JSON: ${response.status} ${JSON.stringify(Object.fromEntries(response.headers))} ${text}`,
    );
  return JSON.parse(json);
}

/** Error code of an MCP call; null for a result. */
export async function mcpErrorCode(response: Response): Promise<string | null> {
  const body = await responseJson(response);
  if (body.code !== undefined) return String(body.code);
  if (body.error !== undefined) return String(body.error.code);
  return body.result.isError === true ? /^\w+/.exec(body.result.content[0].text)![0] : null;
}

/** Calls remaining to a caller, by quota window. */
export async function remainingCalls(
  { app }: Installation,
  caller: Principal,
): Promise<Record<string, number>> {
  const windows = await app.ports.meters.usage(caller);
  return Object.fromEntries(windows.map(({ name, remaining }) => [name, remaining]));
}

/** The principal of a caller without a key. */
export const anonymousCaller = (address: string): Principal => anonymousPrincipal(address);
