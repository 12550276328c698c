import type { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://api.tradier.com";

export interface TradierSetup extends ProviderSetup {
  readonly key: string;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Asks one path for an answer of one shape. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<T>;

/**
 * Its market data, with the token in a header; and whether it is the sandbox that is asked. Every answer says how many
 * calls are left and when there are new ones, in epoch ms: where none is left the next call is not made, and fails as
 * `rate_limited` with the time until then.
 */
export function createClient({ key, now, ...setup }: TradierSetup): {
  readonly get: ApiGet;
  readonly sandbox: boolean;
} {
  const baseUrl = setup.baseUrl ?? BASE_URL;
  const headers = { accept: "application/json", authorization: `Bearer ${key}` };
  const wire = createHttpClient({ ...setup, baseUrl, headers });
  let renewedAt = 0;
  const onHead = (head: Headers) => {
    const renewed = Number(head.get("x-ratelimit-expiry") ?? Number.NaN);
    const none = head.get("x-ratelimit-available") === "0" && Number.isFinite(renewed);
    renewedAt = none ? Math.max(renewedAt, renewed) : renewedAt;
  };
  const spent = (cause?: unknown) =>
    new ProviderFailure("rate_limited", "no calls are left", { retryAfterMs: renewedAt - now(), cause });
  return {
    sandbox: new URL(baseUrl).hostname.startsWith("sandbox."),
    async get(path, shape, query, signal) {
      if (now() < renewedAt) throw spent();
      const { body } = await wire.json(path, { query, signal, onHead }).catch((cause: unknown) => {
        const full = cause instanceof ProviderFailure && cause.kind === "rate_limited";
        throw full && cause.retryAfterMs === null && now() < renewedAt ? spent(cause) : cause;
      });
      const read = shape.safeParse(body);
      if (!read.success)
        throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
      return read.data;
    },
  };
}
