import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ToolError } from "../../kernel/errors.ts";

/** Failed attempts after which a name must wait, and for how long, in seconds. */
const LOCK_OUT = { points: 10, duration: 900, blockDuration: 900 } as const;

/**
 * Makes an attempt to sign in with a name, by password or recovery code. Rejects with RATE_LIMITED after too many failed
 * ones, from any address. Every attempt counts until it has succeeded, so that attempts at the same time count too.
 */
export type LockOut = <T>(
  email: string,
  attempt: () => Promise<T>,
  isSuccess: (answer: T) => boolean,
) => Promise<T>;

/** Creates the lock-out of an installation. */
export function createLockOut(): LockOut {
  const failures = new RateLimiterMemory(LOCK_OUT);
  return async (email, attempt, isSuccess) => {
    await failures.consume(email).catch((known: unknown) => {
      const wait = known instanceof RateLimiterRes ? known.msBeforeNext : LOCK_OUT.duration * 1_000;
      throw new ToolError("RATE_LIMITED", "Too many failed sign-ins for this name", {
        hint: "Wait a quarter of an hour, sign in with a passkey, or ask the owner for a new link.",
        data: { retry_after: Math.ceil(wait / 1_000) },
      });
    });
    const answer = await attempt();
    if (isSuccess(answer)) await failures.delete(email);
    return answer;
  };
}
