import { RateLimiterMemory } from "rate-limiter-flexible";
import { ToolError } from "../kernel/errors.ts";
import { retryAfterMs } from "../lib/limiter.ts";
import { networkOf } from "./callers.ts";

/** Maximum number of requests for unknown paths from one network; the window is in seconds. */
const LIMIT = { quota: 60, window: 60 } as const;

/**
 * Returns a function that counts one request for an unknown path. It rejects with RATE_LIMITED after 60 from the same
 * network within a minute.
 */
export function createUnknownPathLimit(): (address: string) => Promise<void> {
  const requests = new RateLimiterMemory({ points: LIMIT.quota, duration: LIMIT.window });
  return async (address) => {
    const waitMs = await retryAfterMs(requests.consume(networkOf(address)));
    if (waitMs === null) return;
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    throw new ToolError("RATE_LIMITED", "Too many requests for unknown paths from this address", {
      hint: `Retry in ${seconds} s. /openapi.json lists every route.`,
      data: { window: "burst", quota: LIMIT.quota, retry_after: seconds },
    });
  };
}
