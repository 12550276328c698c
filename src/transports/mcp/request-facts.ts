import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { parseTraceparent } from "../../domain/trace.ts";
import { isFields } from "../../lib/fields.ts";
import type { HttpEnv } from "../http/server-deps.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import type { Exchange } from "./exchange.ts";
import type { ResponseForm } from "./response-form.ts";
import type { Caller } from "./server-deps.ts";

/** Facts of a request that the SDK carries to its handlers. */
export interface RequestFacts {
  readonly tools: ConnectionTools;
  readonly exchange: Exchange;
  readonly form: ResponseForm;
}

/** Carries the principal and the facts of a request through the SDK, without its key. */
export function authInfoFor(c: Context<HttpEnv>, facts?: RequestFacts): AuthInfo {
  const principal = c.get("principal");
  return {
    token: "",
    clientId: principal.account,
    scopes: [...principal.scopes],
    extra: { ...callerOfRequest(c), ...facts },
  };
}

export const callerOfRequest = (c: Context<HttpEnv>): Caller => ({
  principal: c.get("principal"),
  requestId: c.get("requestId"),
  trace: c.get("trace"),
  admitted: c.get("admitted"),
});

/** Returns the caller and facts that `authInfoFor` stored. */
export const requestFactsOf = (authInfo: AuthInfo | undefined) =>
  authInfo?.extra as unknown as Caller & RequestFacts;
export const callerOf = ({ http }: ServerContext): Caller => {
  const { principal, requestId, trace, admitted, exchange } = requestFactsOf(http?.authInfo);
  const onRun = exchange?.onRun;
  return { principal, admitted, trace, ...(requestId && { requestId }), ...(onRun && { onRun }) };
};

/** Returns the trace context of `traceparent` in the metadata of a message. Default: that of the HTTP request. */
export const traceOf = (meta: unknown, { trace }: Caller): Pick<Caller, "trace"> => ({
  trace: parseTraceparent(isFields(meta) ? meta.traceparent : undefined) ?? trace,
});
