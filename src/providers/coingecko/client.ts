import type { z } from "zod";
import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { Refusal } from "./wire.ts";

const BASE_URL = "https://api.coingecko.com/api/v3";

export interface CoingeckoSetup extends ProviderSetup {
  /** Key of the Demo plan, sent as a header; without one all callers of an address share its limit. */
  readonly demoKey?: string | undefined;
}

/** Asks one path for an answer of one shape. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
) => Promise<T>;

/** Its public API: refusals are a status with a code of their own in the body. */
export function createClient({ demoKey, ...setup }: CoingeckoSetup): ApiGet {
  const headers = {
    accept: "application/json",
    "user-agent": "market-signal",
    ...(demoKey !== undefined && { "x-cg-demo-api-key": demoKey }),
  };
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers });
  return async (path, shape, query, signal) => {
    const { status, body } = await wire
      .json(path, { query, signal, accept: [400, 401] })
      .catch(rethrowAuthAsBlocked);
    const code = Refusal.safeParse(body).data;
    if (status === 401 || code !== undefined)
      throw new ProviderFailure(kindOf(code ?? status), `refused with code ${code ?? status}`);
    const read = shape.safeParse(body);
    if (status !== 200 || !read.success)
      throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
    return read.data;
  };
}

/** @see https://docs.coingecko.com/docs/errors-and-rate-limits */
function kindOf(code: number): FailureKind {
  if (code === 429) return "rate_limited";
  // no key, not in the plan, a key of another plan
  if ([401, 10002, 10005, 10010, 10011].includes(code)) return "auth";
  return code >= 500 && code < 600 ? "down" : "malformed";
}

/** A wrong key is a 401; what it forbids is forbidden to the address. */
function rethrowAuthAsBlocked(cause: unknown): never {
  if (cause instanceof ProviderFailure && cause.kind === "auth")
    throw new ProviderFailure("blocked", "its firewall refuses us", { cause });
  throw cause;
}
