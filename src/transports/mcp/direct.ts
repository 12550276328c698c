import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  SERVER_INFO_META_KEY,
} from "@modelcontextprotocol/server";
import { asToolError, type ToolError } from "../../kernel/errors.ts";
import { type Cancellation, invoke } from "../../kernel/invoke.ts";
import type { Tool } from "../../kernel/tool.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { type Fields, isFields } from "../../lib/fields.ts";
import { resolveCall } from "./call-tool.ts";
import { mayAsk } from "./choice.ts";
import { type ClientSettings, userSettings } from "./client-settings.ts";
import { mayRequestConfirmation } from "./confirm-in-browser.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import { withCallHint } from "./found-tools.ts";
import { callResultJson, toErrorResult } from "./render.ts";
import { traceOf } from "./request-facts.ts";
import { LIST_CACHE_HINT, MODERN_REVISION, readsData } from "./revisions.ts";
import { serverInfoOf } from "./server.ts";
import type { Caller, McpServerDeps } from "./server-deps.ts";
import { hidesViewData, supportsViews } from "./views.ts";

const RESERVED_PREFIX = "io.modelcontextprotocol/";
const REQUEST_FIELDS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const CALL_FIELDS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
const LIST_FIELDS: ReadonlySet<string> = new Set(["_meta"]);
const ENVELOPE_FIELDS: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
]);
const MAX_ENVELOPES = 200;
const MAX_ENVELOPE_CHARS = 2_000;

/** A `tools/call` or `tools/list` request that needs no other part of the protocol. */
export interface DirectRequest {
  readonly id: RequestId;
  /** The called tool; null for `tools/list`. */
  readonly tool: Tool | null;
  /** Name in the request: of the tool, or of the dispatcher that calls it; null for `tools/list`. */
  readonly name: string | null;
  readonly input: unknown;
  /** Metadata of the message. */
  readonly meta: unknown;
  /** true if the request carries the envelope of revision 2026-07-28. */
  readonly modern: boolean;
}

interface DirectCall {
  readonly tools: ConnectionTools;
  readonly transport: "mcp" | "stdio";
  readonly caller: Caller;
  /** Revision of the protocol, for the form of the result. Default: the oldest. */
  readonly revision: string | undefined;
  readonly cancellation: Cancellation;
}

export interface DirectCalls {
  /**
   * Returns the request if it can be answered directly. Returns null for all others, which the SDK serves: invalid
   * requests, unknown tools, progress, pages, tasks and unknown fields, and calls whose client wants log messages or may
   * be asked about a symbol or for a confirmation, whose list changes, or that draws a result with a file. `settings`: those of a client of an older revision.
   */
  parse(message: unknown, tools: ConnectionTools, settings?: ClientSettings): DirectRequest | null;
  /** Resolves to the JSON text of the response, equal to that of the SDK. */
  answer(request: DirectRequest, call: DirectCall): Promise<string>;
  /** Returns the JSON text of the response to a call that is refused before it runs. */
  refuse(request: Pick<DirectRequest, "id" | "modern">, refusal: ToolError): string;
}

/** Answers plain `tools/call` and `tools/list` requests without the SDK. Lists are serialized once. */
export function createDirectCalls({ ports, running, version }: McpServerDeps): DirectCalls {
  const envelopes = createBoundedCache<string, boolean>({ name: "MCP envelopes", max: MAX_ENVELOPES });
  const lists = new WeakMap<ConnectionTools, Partial<Record<"modern" | "legacy", string>>>();
  const serverInfo = JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfoOf(version) });
  const completed = `,"resultType":"complete","_meta":${serverInfo}`;

  /** Returns true if the SDK accepts the envelope. */
  function isValidEnvelope(meta: Fields): boolean {
    const _meta: Record<string, unknown> = {};
    for (const name of ENVELOPE_FIELDS) if (Object.hasOwn(meta, name)) _meta[name] = meta[name];
    const key = JSON.stringify(_meta);
    if (key.length > MAX_ENVELOPE_CHARS) return false;
    const known = envelopes.get(key);
    if (known !== undefined) return known;
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } };
    const valid = classifyInboundRequest({ httpMethod: "POST", body }).kind === "modern";
    envelopes.set(key, valid);
    return valid;
  }

  /** Returns whether the request carries an envelope; null if its metadata need the SDK. */
  function isModern(meta: unknown): boolean | null {
    if (meta === undefined) return false;
    if (!isFields(meta)) return null;
    let reserved = 0;
    for (const name of Object.keys(meta)) {
      if (name === "progressToken") return null;
      if (!name.startsWith(RESERVED_PREFIX)) continue;
      if (!ENVELOPE_FIELDS.has(name)) return null;
      reserved++;
    }
    if (reserved === 0) return false;
    return meta[PROTOCOL_VERSION_META_KEY] === MODERN_REVISION && isValidEnvelope(meta) ? true : null;
  }

  function parse(message: unknown, tools: ConnectionTools, settings?: ClientSettings): DirectRequest | null {
    if (!isFields(message) || !hasOnly(message, REQUEST_FIELDS)) return null;
    const { jsonrpc, id, method, params = {} } = message;
    if (jsonrpc !== "2.0" || !(typeof id === "string" || Number.isSafeInteger(id)) || !isFields(params))
      return null;
    const isCall = method === "tools/call";
    if (!isCall && method !== "tools/list") return null;
    if (!hasOnly(params, isCall ? CALL_FIELDS : LIST_FIELDS)) return null;
    const modern = isModern(params._meta);
    if (modern === null) return null;
    const request = { id: id as RequestId, meta: params._meta, modern };
    // a list with tools that its client has found is not that of the connection
    if (!isCall) return settings?.found ? null : { ...request, tool: null, name: null, input: undefined };
    const { name, arguments: input } = params;
    if (typeof name !== "string" || settings?.logLevel !== undefined) return null;
    // the SDK drops a field with this name
    if (input !== undefined && (!isFields(input) || Object.hasOwn(input, "__proto__"))) return null;
    const call = resolveCall({ name, arguments: input }, tools);
    if (call === null || call.refusal !== undefined) return null;
    // a search changes the client's list
    if (call.tool.role === "finder" && settings !== undefined && !modern) return null;
    const showsViews = modern ? showsViewsOf(params._meta) : settings?.showsViews === true;
    if (showsViews && hidesViewData(call.tool)) return null;
    const user = modern ? userSettings(capabilitiesOf(params._meta)) : settings;
    if (user?.canAsk && mayAsk(call.tool)) return null;
    return user?.canOpen && mayRequestConfirmation(call.tool) ? null : { ...request, name, ...call };
  }

  function listJson(tools: ConnectionTools, modern: boolean): string {
    const cached = lists.get(tools) ?? {};
    lists.set(tools, cached);
    const era = modern ? "modern" : "legacy";
    cached[era] ??= JSON.stringify({
      tools: tools.listed,
      ...(modern && {
        resultType: "complete",
        ...LIST_CACHE_HINT,
        _meta: JSON.parse(serverInfo),
      }),
    });
    return cached[era];
  }

  const failure = (error: ToolError): string => {
    const { content, isError } = toErrorResult(error);
    return `"content":${JSON.stringify(content)},"isError":${isError}`;
  };
  const responseJson = (id: RequestId, result: string): string =>
    `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;

  async function callJson(
    tool: Tool,
    { input, meta, modern }: DirectRequest,
    { tools, transport, caller, revision, cancellation }: DirectCall,
  ): Promise<string> {
    const { controller } = cancellation;
    running.add(controller);
    let result: string;
    try {
      const data = await invoke(tool, input, {
        ...caller,
        ...traceOf(meta, caller),
        ports,
        transport,
        detail: "concise",
        readonly: tools.readonly,
        cancellation,
      });
      result = callResultJson(tool, withCallHint(tool, data, tools), {
        market: ports.market,
        takesData: readsData(revision),
      });
    } catch (cause) {
      result = failure(asToolError(cause));
    } finally {
      running.delete(controller);
    }
    return `{${result}${modern ? completed : ""}}`;
  }

  return {
    parse,
    async answer(request, call) {
      const { tool, modern, id } = request;
      return responseJson(
        id,
        tool === null ? listJson(call.tools, modern) : await callJson(tool, request, call),
      );
    },
    refuse: ({ id, modern }, refusal) => responseJson(id, `{${failure(refusal)}${modern ? completed : ""}}`),
  };
}

const capabilitiesOf = (meta: unknown): unknown => (meta as Fields)[CLIENT_CAPABILITIES_META_KEY];
const showsViewsOf = (meta: unknown): boolean => supportsViews(capabilitiesOf(meta));

function hasOnly(value: Fields, names: ReadonlySet<string>): boolean {
  for (const name of Object.keys(value)) if (!names.has(name)) return false;
  return true;
}
