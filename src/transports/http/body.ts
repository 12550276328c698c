import { MAX_DEPTH, MAX_MESSAGE_BYTES, readWithinBounds } from "../../access/message-size.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { parseJson } from "../../lib/json-text.ts";

/** Maximum request body size in bytes. */
export const MAX_BODY_BYTES = MAX_MESSAGE_BYTES;
/** Size in bytes from which a body waits until the event loop has handled what is pending. */
const LARGE_BODY_BYTES = 16 * 1024;
/** Timeout for receiving a body, in milliseconds. */
const BODY_TIMEOUT_MS = 30_000;

/**
 * Parses the body as a JSON object; an empty body is `{}`. If `text` names a field, a bare JSON string becomes its
 * value. Rejects with BODY_TOO_LARGE, INVALID_INPUT, DEADLINE or CANCELLED.
 */
export async function jsonBody(
  request: Request,
  {
    limit = MAX_BODY_BYTES,
    ms = BODY_TIMEOUT_MS,
    text,
  }: { limit?: number; ms?: number; text?: string | undefined } = {},
): Promise<Record<string, unknown>> {
  const bytes = await bytesOf(request, limit, ms);
  if (bytes.length === 0) return {};
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new ToolError("INVALID_INPUT", "The content type of the body is not JSON", {
      hint: "Send `Content-Type: application/json`.",
    });
  const value = await parsed(bytes);
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  if (typeof value === "string" && text !== undefined) return { [text]: value };
  throw new ToolError("INVALID_INPUT", "The body must be a JSON object", { hint: 'Send {"field": value}.' });
}

/** Returns the body as text. Rejects with BODY_TOO_LARGE, INVALID_INPUT, DEADLINE or CANCELLED. */
export async function textBody(request: Request, limit: number): Promise<string> {
  const bytes = await bytesOf(request, limit, BODY_TIMEOUT_MS);
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", "The body is not UTF-8", { cause });
  }
}

/** Parses the body as any JSON value, regardless of the content type; undefined if empty. Rejects like `jsonBody`. */
export const jsonValue = async (
  request: Request,
  limit = MAX_BODY_BYTES,
  maxDepth?: number,
): Promise<unknown> => parsed(await bytesOf(request, limit, BODY_TIMEOUT_MS), maxDepth);

const decoder = new TextDecoder("utf-8", { fatal: true });

async function parsed(bytes: Uint8Array, maxDepth = MAX_DEPTH): Promise<unknown> {
  if (bytes.length >= LARGE_BODY_BYTES && isBusy()) await yieldToEventLoop();
  try {
    return readWithinBounds(
      bytes,
      () => {
        const text = decoder.decode(bytes);
        return text.trim() === "" ? undefined : parseJson(text);
      },
      maxDepth,
    );
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw new ToolError("INVALID_INPUT", "The body is not JSON in UTF-8", {
      hint: 'Send one JSON object, such as {"symbol": "AAPL"}.',
      cause,
    });
  }
}

async function bytesOf(request: Request, limit: number, ms: number): Promise<Uint8Array> {
  const contentLength = request.headers.get("content-length");
  if (contentLength !== null && Number(contentLength) > limit) throw tooLarge(limit);
  if (contentLength === "0") return new Uint8Array();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new ToolError("DEADLINE", `The body did not arrive within ${ms} ms`, {
            hint: "Send the complete body without pauses.",
          }),
        ),
      ms,
    );
  });
  try {
    // the HTTP parser enforces a declared length; without one the bytes are counted
    return await Promise.race([
      contentLength === null ? readUpTo(request, limit) : readAll(request),
      timedOut,
    ]);
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown;
    throw new ToolError("CANCELLED", "The body ended before it was complete", { cause: thrown });
  } finally {
    clearTimeout(timer);
  }
}

const readAll = async (request: Request) => new Uint8Array(await request.arrayBuffer());

async function readUpTo({ body }: Request, limit: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > limit) {
      // not awaited: the stream of a cloned request is cancelled only when both requests cancel it
      reader.cancel().catch(() => {});
      throw tooLarge(limit);
    }
    chunks.push(next.value);
  }
  const all = new Uint8Array(size);
  chunks.reduce((offset, chunk) => {
    all.set(chunk, offset);
    return offset + chunk.length;
  }, 0);
  return all;
}

const tooLarge = (limit: number) =>
  new ToolError("BODY_TOO_LARGE", `A body may have at most ${limit} bytes`, {
    hint: "Send less in one call.",
    data: { limit_bytes: limit },
  });
