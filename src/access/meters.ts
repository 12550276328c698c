import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Principal, Window } from "../domain/accounts/access.ts";
import type { Limit, Windows } from "../domain/accounts/windows-port.ts";
import type { Meters } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { retryAfterMs } from "../lib/limiter.ts";
import { networkOf } from "./callers.ts";
import { assistantLimit, type PlanSchedule, planWithMore, rowOf } from "./plans.ts";

export interface MetersOptions {
  readonly windows: Windows;
  readonly schedule: PlanSchedule;
}

/** The meters, and the count of wrong keys by network address. */
export interface AccessMeters extends Meters {
  /** Counts one wrong key; rejects with RATE_LIMITED where the address showed 60 within the minute before it. */
  wrongKeys(address: string): Promise<void>;
}

const INVALID_KEY_LIMIT: Limit = { quota: 60, window: 60 };

/** Meters over shared windows: as exact, and as lasting, as these are. */
export function createMeters({ windows, schedule }: MetersOptions): AccessMeters {
  // In memory: a stranger's guesses must not make the disk write.
  const guesses = new RateLimiterMemory({
    points: INVALID_KEY_LIMIT.quota,
    duration: INVALID_KEY_LIMIT.window,
  });

  const count = async (name: "burst" | "daily", caller: Principal): Promise<void> => {
    const limit = rowOf(schedule, caller)[name];
    const wait = await windows.take(name, limit, caller.account);
    if (wait === null) return;
    const more = planWithMore(schedule, name, limit);
    throw exceeded(
      name,
      limit,
      wait,
      `${describeLimit(name, limit)} are used up`,
      more === null ? "" : ` The "${more.plan}" plan gives ${describeLimit(name, more.limit)}.`,
    );
  };

  const stand = async (name: Window["name"], { quota, window }: Limit, caller: Principal) => {
    const { remaining, msLeft } = await windows.standing(name, { quota, window }, caller.account);
    return { name, quota, window, remaining, reset: Math.ceil(msLeft / 1_000) };
  };

  return {
    burst: (caller) => count("burst", caller),
    async day(caller, share) {
      const limit = share === undefined ? null : assistantLimit(rowOf(schedule, caller));
      if (limit === null) return count("daily", caller);
      const wait = await windows.take("assistant", limit, caller.account);
      if (wait !== null)
        throw exceeded(
          "assistant",
          limit,
          wait,
          `${describeLimit("assistant", limit)} are used up`,
          OTHER_CALLS_HINT,
        );
      try {
        await count("daily", caller);
      } catch (refused) {
        // a call that one window refuses costs nothing of the other
        await windows.refund("assistant", limit, caller.account);
        throw refused;
      }
    },
    async standing(caller) {
      const row = rowOf(schedule, caller);
      const limit = assistantLimit(row);
      return [
        await stand("burst", row.burst, caller),
        await stand("daily", row.daily, caller),
        ...(limit === null ? [] : [await stand("assistant", limit, caller)]),
      ];
    },
    async wrongKeys(address) {
      const wait = await retryAfterMs(guesses.consume(networkOf(address)));
      if (wait !== null)
        throw exceeded("burst", INVALID_KEY_LIMIT, wait, "Too many wrong API keys from this address", "");
    },
  };
}

function exceeded(window: Window["name"], { quota }: Limit, waitMs: number, what: string, more: string) {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ToolError("RATE_LIMITED", what, {
    hint: `Retry in ${seconds} s.${more}`,
    data: { window, quota, retry_after: seconds },
  });
}

const OTHER_CALLS_HINT = " Other calls are still answered.";

const describeLimit = (name: Window["name"], { quota, window }: Limit): string =>
  name === "burst"
    ? `${quota} calls in ${window} s`
    : `${quota} ${name === "daily" ? "calls" : "questions in plain words"} a day`;
