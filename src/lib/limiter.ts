import { RateLimiterRes } from "rate-limiter-flexible";

/** Null where the limiter admitted the call, else the milliseconds to wait. */
export async function retryAfterMs(counting: Promise<RateLimiterRes>): Promise<number | null> {
  try {
    await counting;
    return null;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext;
    throw refusal;
  }
}
