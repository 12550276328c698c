import { z } from "zod";
import type { FailureKind } from "../../domain/providers/price-provider.ts";
import { type ApiGet, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";

export interface CoingeckoSetup extends ProviderSetup {
  /** Key of the Demo plan. Without one, all callers of an IP address share its limit. */
  readonly demoKey?: string | undefined;
}

/** Error code, at the top level or in `status`. */
const Refusal = z
  .union([
    z.object({ error_code: z.int() }),
    z.object({ status: z.object({ error_code: z.int() }) }).transform(({ status }) => status),
  ])
  .transform(({ error_code }) => error_code);

/** Creates the client of the public API. A wrong key gives a 401; a 403 comes from a firewall. */
export const coingeckoApi = ({ demoKey, ...setup }: CoingeckoSetup): ApiGet =>
  createApi(setup, {
    baseUrl: "https://api.coingecko.com/api/v3",
    keyless: true,
    headers: {
      "user-agent": "market-signal",
      ...(demoKey !== undefined && { "x-cg-demo-api-key": demoKey }),
    },
    accept: [400, 401],
    refusal(body, status) {
      const code = Refusal.safeParse(body).data ?? (status === 401 ? status : null);
      return code === null ? null : kindOf(code);
    },
  });

/** @see https://docs.coingecko.com/docs/errors-and-rate-limits */
function kindOf(code: number): FailureKind {
  if (code === 429) return "rate_limited";
  // missing key, endpoint not in the plan, or key of another plan
  if ([401, 10002, 10005, 10010, 10011].includes(code)) return "auth";
  return code >= 500 && code < 600 ? "down" : "malformed";
}
