import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { ToolError } from "../../kernel/errors.ts";
import { eventStream, SSE_HEADERS } from "../http/event-stream.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import type { DirectCalls, DirectRequest } from "./direct.ts";
import type { Exchange } from "./exchange.ts";
import { CALL_METHOD, methodOf } from "./http-body.ts";
import { noResponse, type ResponseForm } from "./response-form.ts";
import { MODERN_REVISION } from "./revisions.ts";
import type { Caller } from "./server-deps.ts";
import { requestIdOf } from "./session.ts";

interface DirectHttpOptions {
  readonly tools: ConnectionTools;
  readonly caller: Caller;
  /** Default headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly exchange: Exchange;
  /** Form of the response. A call that has to be a stream is not served directly. */
  readonly form: ResponseForm;
  readonly keepAliveMs: number;
  readonly bufferBytes: number;
}

/** Time after which a call of an older revision responds as a stream, in milliseconds. */
const STREAM_AFTER_MS = 1_000;
const LEGACY_REVISIONS: ReadonlySet<string> = new Set(
  SUPPORTED_PROTOCOL_VERSIONS.filter((revision) => revision < MODERN_REVISION),
);

/** Returns true if the headers are those that the SDK requires for the request. */
export function hasPlainHeaders({ name, modern }: DirectRequest, { headers }: Request): boolean {
  const revision = headers.get("mcp-protocol-version");
  if (modern)
    return (
      revision === MODERN_REVISION &&
      headers.get("mcp-method") === (name === null ? "tools/list" : "tools/call") &&
      (name === null || headers.get("mcp-name") === name)
    );
  return revision === null || LEGACY_REVISIONS.has(revision);
}

/**
 * Responds to a request with plain headers: with JSON in revision 2026-07-28 and to a client that accepts only JSON,
 * otherwise with one event, or with a stream with keep-alives if the call lasts longer. A disconnect cancels the call. A
 * call that the client cancelled has no message in its response.
 */
export async function serveDirect(
  direct: DirectCalls,
  request: DirectRequest,
  http: Request,
  { tools, caller, headers, exchange, form, keepAliveMs, bufferBytes }: DirectHttpOptions,
): Promise<Response> {
  const { controller } = exchange;
  let isDisconnected = () => false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let respondAsStream = () => {};
  const watch = () => {
    const { signal } = http;
    isDisconnected = () => signal.aborted;
    signal.addEventListener("abort", () => controller.abort(), { once: true });
    if (signal.aborted) controller.abort();
    else timer ??= setTimeout(() => respondAsStream(), STREAM_AFTER_MS);
  };
  const answer = direct.answer(request, {
    tools,
    transport: "mcp",
    caller,
    revision: http.headers.get("mcp-protocol-version") ?? undefined,
    cancellation: { controller, watch },
  });
  if (request.modern || form === "json") {
    const json = await answer;
    clearTimeout(timer);
    if (exchange.isCancelled()) return form === "json" ? noResponse() : emptyStream();
    if (isDisconnected()) return new Response(null, { status: 499 });
    return new Response(json, { headers: { ...headers, "content-type": "application/json" } });
  }
  const options = { headers: { ...headers, ...SSE_HEADERS } };
  const json = await new Promise<string | null>((resolve, reject) => {
    respondAsStream = () => resolve(null);
    answer.then(resolve, reject);
  });
  clearTimeout(timer);
  if (exchange.isCancelled()) return emptyStream();
  if (json !== null) return new Response(eventOf(json), options);
  exchange.handleLater();
  const stream = eventStream({ keepAliveMs, bufferBytes, onClose: () => controller.abort() });
  void answer
    .then((late) => {
      if (!exchange.isCancelled()) stream.write(eventOf(late));
    })
    .catch(() => {}) // the client disconnected
    .finally(() => {
      exchange.end();
      stream.close();
    });
  return new Response(stream.body, options);
}

/**
 * Returns the response to a call that was refused when it arrived: a result, because models read no other answer.
 * Throws the refusal of any other message.
 */
export function refusedCall(
  direct: Pick<DirectCalls, "refuse">,
  refusal: unknown,
  { headers }: Request,
  { parsedBody, form }: { readonly parsedBody: unknown; readonly form: ResponseForm | null },
): Response {
  const id = requestIdOf((parsedBody as { id?: unknown } | null)?.id);
  if (!(refusal instanceof ToolError) || form === null || id === null || methodOf(parsedBody) !== CALL_METHOD)
    throw refusal;
  const modern = headers.get("mcp-protocol-version") === MODERN_REVISION;
  const json = direct.refuse({ id, modern }, refusal);
  return form === "stream"
    ? new Response(eventOf(json), { headers: SSE_HEADERS })
    : new Response(json, { headers: { "content-type": "application/json" } });
}

/** Returns the response to a request that the client cancelled: a stream without a message. */
export const emptyStream = (): Response => new Response("", { headers: SSE_HEADERS });

const eventOf = (json: string): string => `event: message\ndata: ${json}\n\n`;
