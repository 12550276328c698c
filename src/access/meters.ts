import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Principal, Window } from "../domain/accounts/access.ts";
import type { Limit, Windows } from "../domain/accounts/windows-port.ts";
import type { Meters } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { retryAfterMs } from "../lib/limiter.ts";
import { networkOf } from "./callers.ts";
import { assistantLimit, type PlanSchedule, planWithMore, rowOf } from "./plans.ts";
import { createRunningCalls, type RunningLimits } from "./running-calls.ts";

export interface MetersOptions {
  readonly windows: Windows;
  readonly schedule: PlanSchedule;
  /** Default: 8 running calls and 300 waiting ones per account. */
  readonly running?: RunningLimits;
}

export interface AccessMeters extends Meters {
  /** Counts one invalid key. Rejects with RATE_LIMITED after 60 from the same network within a minute. */
  countInvalidKey(address: string): Promise<void>;
}

const INVALID_KEY_LIMIT: Limit = { quota: 60, window: 60 };

export function createMeters({ windows, schedule, running }: MetersOptions): AccessMeters {
  // In memory, so that guessed keys cause no disk writes.
  const invalidKeys = new RateLimiterMemory({
    points: INVALID_KEY_LIMIT.quota,
    duration: INVALID_KEY_LIMIT.window,
  });

  const count = async (name: "burst" | "daily", caller: Principal): Promise<void> => {
    const limit = rowOf(schedule, caller)[name];
    const waitMs = await windows.take(name, limit, caller.account);
    if (waitMs === null) return;
    const upgrade = planWithMore(schedule, name, limit);
    throw exceeded(
      name,
      limit,
      waitMs,
      `Limit reached: ${describeLimit(name, limit)}`,
      upgrade === null ? "" : ` The "${upgrade.plan}" plan allows ${describeLimit(name, upgrade.limit)}.`,
    );
  };

  const usageOf = (name: Window["name"], limit: Limit, caller: Principal): Window => {
    const { quota, window } = limit;
    const { remaining, msLeft } = windows.usage(name, limit, caller.account);
    return { name, quota, window, remaining, reset: Math.ceil(msLeft / 1_000) };
  };

  const start = { call: createRunningCalls(running), message: createRunningCalls(running) } as const;

  return {
    countBurst: (caller) => count("burst", caller),
    startCall: ({ account }, signal, kind = "call") => start[kind](account, signal),
    async countDaily(caller, share) {
      const limit = share === undefined ? null : assistantLimit(rowOf(schedule, caller));
      if (limit === null) return count("daily", caller);
      const waitMs = await windows.take("assistant", limit, caller.account);
      if (waitMs !== null)
        throw exceeded(
          "assistant",
          limit,
          waitMs,
          `Limit reached: ${describeLimit("assistant", limit)}`,
          OTHER_CALLS_HINT,
        );
      try {
        await count("daily", caller);
      } catch (refused) {
        // A call that one window rejects is not charged to the other.
        await windows.refund("assistant", limit, caller.account);
        throw refused;
      }
    },
    async usage(caller) {
      const row = rowOf(schedule, caller);
      const limit = assistantLimit(row);
      const used = [usageOf("burst", row.burst, caller), usageOf("daily", row.daily, caller)];
      if (limit !== null) used.push(usageOf("assistant", limit, caller));
      return used;
    },
    async countInvalidKey(address) {
      const waitMs = await retryAfterMs(invalidKeys.consume(networkOf(address)));
      if (waitMs !== null)
        throw exceeded("burst", INVALID_KEY_LIMIT, waitMs, "Too many invalid API keys from this address", "");
    },
  };
}

function exceeded(window: Window["name"], { quota }: Limit, waitMs: number, message: string, hint: string) {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ToolError("RATE_LIMITED", message, {
    hint: `Retry in ${seconds} s.${hint}`,
    data: { window, quota, retry_after: seconds },
  });
}

const OTHER_CALLS_HINT = " Calls other than plain-language questions still work.";

const describeLimit = (name: Window["name"], { quota, window }: Limit): string =>
  name === "burst"
    ? `${quota} calls in ${window} s`
    : `${quota} ${name === "daily" ? "calls" : "plain-language questions"} per day`;
