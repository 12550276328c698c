import { A2A_ERROR_CODE } from "@a2a-js/sdk/errors";
import type { MiddlewareHandler } from "hono";
import { asToolError } from "../../kernel/errors.ts";
import { jsonValue } from "../http/body.ts";
import type { HttpEnv } from "../http/server-deps.ts";
import { MAX_BODY_BYTES } from "./body.ts";

export type RpcId = string | number | null;

/** Code of a refused key, plan, scope or quota: the first of the codes that JSON-RPC leaves to servers. */
const REFUSED_CODE = -32000;

/** Returns the id of a JSON-RPC request, even of an invalid one; null if it has no string or integer as id. */
export function rpcIdOf(body: unknown): RpcId {
  const { id } = (body ?? {}) as { readonly id?: unknown };
  return typeof id === "string" || Number.isInteger(id) ? (id as RpcId) : null;
}

/** Returns true for a JSON-RPC request or a batch of them, valid or not; false for a plain envelope. */
export function isRpcBody(value: unknown): boolean {
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === "object" && first !== null && ("jsonrpc" in first || "method" in first);
}

/**
 * Turns the problem response of an error into the JSON-RPC error of the request `id`: with the same status and headers,
 * and the problem as the error's data. Its hint has no command line, because models read it.
 */
export async function rpcRefusal(refused: Response, thrown: unknown, id: RpcId): Promise<Response> {
  const { hint } = asToolError(thrown);
  const body: Record<string, unknown> = { ...((await refused.json()) as object), hint };
  const headers = new Headers(refused.headers);
  headers.set("content-type", "application/json");
  headers.delete("content-length");
  const message = [body.detail, hint].filter((text) => text !== undefined).join(". ");
  const code = body.code === "INTERNAL" ? A2A_ERROR_CODE.INTERNAL_ERROR : REFUSED_CODE;
  const error = { code, message, data: [body] };
  return new Response(JSON.stringify({ jsonrpc: "2.0", id, error }), { status: refused.status, headers });
}

/**
 * Middleware around the checks of host, key, plan and quota: answers a JSON-RPC request that they refuse with a
 * JSON-RPC error. Any other request keeps its problem response.
 */
export const rpcRefusals: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const { raw, method } = c.req;
  if (c.error === undefined || method !== "POST" || raw.bodyUsed) return;
  const body = await jsonValue(raw.clone(), MAX_BODY_BYTES).catch(() => undefined);
  if (!isRpcBody(body)) return;
  const refused = await rpcRefusal(c.res, c.error, rpcIdOf(body));
  c.res = undefined;
  c.res = refused;
};
