import { ToolError } from "../../kernel/errors.ts";
import { jsonValue } from "../http/body.ts";
import { readMessages } from "./envelope.ts";

/** Maximum number of messages in one request; only revision 2025-03-26 has batches. */
const MAX_BATCH = 10;

export const isLargeBatch = (body: unknown): boolean => Array.isArray(body) && body.length > MAX_BATCH;

/** Parses the JSON body as messages; undefined if it is not JSON in UTF-8. Rejects with BODY_TOO_LARGE, DEADLINE or CANCELLED. */
export async function bodyOf(request: Request): Promise<unknown> {
  try {
    return readMessages(await jsonValue(request));
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === "INVALID_INPUT") return undefined;
    throw cause;
  }
}

export const parseErrorResponse = () =>
  Response.json(
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: "Parse error: the body is not JSON in UTF-8" },
    },
    { status: 400 },
  );

export const batchErrorResponse = () =>
  Response.json(
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: `Invalid request: a batch may have at most ${MAX_BATCH} messages` },
    },
    { status: 400 },
  );

export const methodOf = (body: unknown): unknown => ((body ?? {}) as { method?: unknown }).method;

export const CALL_METHOD = "tools/call";
