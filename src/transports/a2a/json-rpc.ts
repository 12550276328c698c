import { HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import {
  isLegacyJsonRpcMethod,
  isV1JsonRpcMethod,
  LEGACY_HTTP_EXTENSION_HEADER,
} from "@a2a-js/sdk/compat/v0_3";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  A2A_ERROR_CODE,
  A2AError,
  ContentTypeNotSupportedError,
  RequestMalformedError,
} from "@a2a-js/sdk/errors";
import { type A2ARequestHandler, JsonRpcTransportHandler } from "@a2a-js/sdk/server";
import type { Context } from "hono";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";
import { jsonValue } from "../http/body.ts";
import { problem } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { BodyError, MAX_BODY_BYTES, readJsonBody } from "./body.ts";
import { versionNotSupported } from "./errors.ts";
import { callContextOf, requestStateOf, versionOf } from "./request-state.ts";
import { isRpcBody, type RpcId, rpcIdOf, rpcRefusal } from "./rpc-errors.ts";
import { eventStream } from "./stream.ts";

const SUPPORTED_VERSIONS: ReadonlySet<string> = new Set(["1.0", "0.3"]);

interface RpcError {
  readonly code: number;
  readonly message: string;
}
type RpcResponse = { error?: unknown } | AsyncGenerator<{ error?: unknown }, void, undefined>;

/**
 * Serves JSON-RPC for both protocol versions; distinguished by the method name. Errors are JSON-RPC errors with the id
 * of the request.
 */
export function jsonRpc(
  handler: A2ARequestHandler,
  { ports }: Pick<HttpServerDeps, "ports">,
  routed: boolean,
): (c: Context<HttpEnv>) => Promise<Response> {
  const current = new JsonRpcTransportHandler(handler);
  const legacy = new LegacyJsonRpcTransportHandler(handler);

  return async (c) => {
    let id: RpcId = null;
    let isLegacy = false;
    const rpcErrorOf = (thrown: unknown) =>
      isLegacy
        ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(thrown)
        : JsonRpcTransportHandler.mapToJSONRPCError(thrown);
    const failed = (error: unknown) => ({ jsonrpc: "2.0", id, error });
    try {
      const body = await readJsonBody(c.req.raw, (value) => {
        id = rpcIdOf(value);
      });
      const fault = envelopeErrorOf(body);
      if (fault !== null) return c.json(failed(fault));
      // null params mean omitted params, and the library requires an object
      const { params, ...named } = body as { id?: unknown; method: string; params?: unknown };
      const request = { ...named, params: params ?? {} };
      isLegacy = isLegacyJsonRpcMethod(request.method);
      checkTenant(request);
      const version = versionOf(c);
      if (!SUPPORTED_VERSIONS.has(version)) throw versionNotSupported(version, "1.0 or 0.3");
      const extensions =
        c.req.header(HTTP_EXTENSION_HEADER) ??
        (isLegacy ? c.req.header(LEGACY_HTTP_EXTENSION_HEADER) : undefined);
      const context = callContextOf(c, { version, extensions }, routed);
      const response = (await (isLegacy ? legacy : current).handle(request, context)) as RpcResponse;
      if (!(Symbol.asyncIterator in response))
        return c.json(
          requestStateOf(context).understood ? response : asInvalidParams(response, request.method),
        );
      const events = isLegacy ? withFinalQuestion(response) : response;
      const first = await events.next(); // a failure before the first event is a plain JSON response
      return eventStream(events, first, (thrown) => failed(rpcErrorOf(thrown)));
    } catch (thrown) {
      if (thrown instanceof BodyError) return c.json(failed(bodyErrorOf(thrown)), BODY_STATUS[thrown.reason]);
      if (thrown instanceof A2AError) return c.json(failed(rpcErrorOf(thrown)));
      if (!(thrown instanceof ToolError))
        ports.log.error("request failed", { request_id: c.get("requestId"), cause: thrown });
      return rpcRefusal(problem(c, thrown), thrown, id);
    }
  };
}

/** HTTP status of each kind of invalid body. */
const BODY_STATUS = { parse: 200, size: 413, "media type": 415 } as const;

function bodyErrorOf({ reason, message }: BodyError): RpcError {
  if (reason === "media type")
    return JsonRpcTransportHandler.mapToJSONRPCError(new ContentTypeNotSupportedError(message));
  const { PARSE_ERROR, INVALID_REQUEST } = A2A_ERROR_CODE;
  return { code: reason === "parse" ? PARSE_ERROR : INVALID_REQUEST, message };
}

/**
 * Returns true if the body is a JSON-RPC request or a batch of them, valid or not; false for a plain envelope and for a
 * body that is not JSON. The request can still be read afterwards.
 */
export async function isRpcRequest(request: Request): Promise<boolean> {
  const value = await jsonValue(request.clone(), MAX_BODY_BYTES).catch((cause: unknown) => {
    const { code } = asToolError(cause);
    if (code === "INVALID_INPUT" || code === "BODY_TOO_LARGE") return null;
    throw cause;
  });
  return isRpcBody(value);
}

/** Returns the error for an invalid JSON-RPC envelope; null if it is valid. */
function envelopeErrorOf(body: unknown): RpcError | null {
  const invalid = (message: string) => ({ code: A2A_ERROR_CODE.INVALID_REQUEST, message });
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return invalid("Send one JSON-RPC 2.0 request object; batches are not supported.");
  const { jsonrpc, id = null, method } = body as { jsonrpc?: unknown; id?: unknown; method?: unknown };
  if (jsonrpc !== "2.0")
    return invalid(
      'The request has no "jsonrpc": "2.0". Send {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {...}}.',
    );
  if (id !== null && typeof id !== "string" && !Number.isInteger(id))
    return invalid("The id of a request must be a string or an integer.");
  if (typeof method !== "string") return invalid('The request has no "method".');
  if (isLegacyJsonRpcMethod(method) || isV1JsonRpcMethod(method)) return null;
  return {
    code: A2A_ERROR_CODE.METHOD_NOT_FOUND,
    message: `Unknown method "${plainText(method, 60)}". Use SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask or SubscribeToTask.`,
  };
}

/** Marks a question of protocol 0.3 as the last event of its stream, which the library does for final states only. */
async function* withFinalQuestion(events: AsyncGenerator<object, void, undefined>) {
  for await (const event of events) {
    const { result } = event as { readonly result?: LegacyStatusUpdate };
    const isQuestion = result?.kind === "status-update" && result.status.state === "input-required";
    yield isQuestion ? { ...event, result: { ...result, final: true } } : event;
  }
}

interface LegacyStatusUpdate {
  readonly kind: string;
  readonly status: { readonly state: string };
}

/** Throws unless the tenant is a string or absent. The SDK validates only the other params. */
function checkTenant({ params }: { readonly params?: unknown }): void {
  const { tenant } = (params ?? {}) as { readonly tenant?: unknown };
  if (tenant !== undefined && tenant !== null && typeof tenant !== "string")
    throw new RequestMalformedError("The tenant must be a string. Omit it: this server has no tenants.");
}

/** Replaces the SDK's internal error for malformed params with INVALID_PARAMS. */
function asInvalidParams(response: { error?: unknown }, method: string): object {
  const { code } = (response.error ?? {}) as Partial<RpcError>;
  if (code !== A2A_ERROR_CODE.INTERNAL_ERROR) return response;
  const message = `The params of ${method} are invalid. See the A2A specification.`;
  return { ...response, error: { code: A2A_ERROR_CODE.INVALID_PARAMS, message } };
}
