import { RateLimiterRes } from "rate-limiter-flexible";

/** Returns null if the limiter admitted the call, else the milliseconds to wait. */
export async function retryAfterMs(consumption: Promise<RateLimiterRes>): Promise<number | null> {
  try {
    await consumption;
    return null;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext;
    throw refusal;
  }
}
