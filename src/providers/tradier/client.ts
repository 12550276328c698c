import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { type ApiGet, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://api.tradier.com";

export interface TradierSetup extends ProviderSetup {
  readonly key: string;
  /** Epoch ms. */
  readonly now: () => number;
}

/**
 * The market data API, with the token in a header, and whether it is the sandbox. Every response holds the number of calls
 * left and the time of the next ones; with none left, calls fail as `rate_limited` without being made.
 */
export function createClient({ key, now, ...setup }: TradierSetup): {
  readonly get: ApiGet;
  readonly sandbox: boolean;
} {
  const api = createApi(setup, { baseUrl: BASE_URL, headers: { authorization: `Bearer ${key}` } });
  let renewedAt = 0;
  const onHead = (head: Headers) => {
    const renewed = Number(head.get("x-ratelimit-expiry") ?? Number.NaN);
    const none = head.get("x-ratelimit-available") === "0" && Number.isFinite(renewed);
    renewedAt = none ? Math.max(renewedAt, renewed) : renewedAt;
  };
  const noCallsLeft = (cause?: unknown) =>
    new ProviderFailure("rate_limited", "no calls left", { retryAfterMs: renewedAt - now(), cause });
  return {
    sandbox: new URL(setup.baseUrl ?? BASE_URL).hostname.startsWith("sandbox."),
    async get(path, shape, request) {
      if (now() < renewedAt) throw noCallsLeft();
      return await api(path, shape, { ...request, onHead }).catch((cause: unknown) => {
        const limited = cause instanceof ProviderFailure && cause.kind === "rate_limited";
        throw limited && cause.retryAfterMs === null && now() < renewedAt ? noCallsLeft(cause) : cause;
      });
    },
  };
}
