import { RateLimiterMemory } from "rate-limiter-flexible";
import { isApp, type Principal, type Window } from "../domain/accounts/access.ts";
import type { Limit, Windows } from "../domain/accounts/windows-port.ts";
import type { Meters } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { retryAfterMs } from "../lib/limiter.ts";
import { networkOf } from "./callers.ts";
import { assistantLimit, DAY_S, type PlanSchedule, planWithMore, rowOf } from "./plans.ts";
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

/** A window in which calls of a caller are counted. */
interface CallerWindow {
  readonly name: Window["name"];
  readonly limit: Limit;
  /** Account, or app of an account, that the window belongs to. */
  readonly of: string;
  /** Returns what a caller may do at the limit, besides waiting; begins with a space. */
  readonly hint: () => string;
}

const INVALID_KEY_LIMIT: Limit = { quota: 60, window: 60 };

export function createMeters({ windows, schedule, running }: MetersOptions): AccessMeters {
  // In memory, so that guessed keys cause no disk writes.
  const invalidKeys = new RateLimiterMemory({
    points: INVALID_KEY_LIMIT.quota,
    duration: INVALID_KEY_LIMIT.window,
  });

  /** Returns the window of a caller; null if the caller has none of that name. */
  const windowOf = (name: Window["name"], caller: Principal): CallerWindow | null => {
    const row = rowOf(schedule, caller);
    if (name === "assistant" || name === "app") {
      const limit = name === "app" ? appWindow(caller) : assistantLimit(row);
      const of = name === "app" ? `${caller.account} ${caller.keyId}` : caller.account;
      return limit && { name, limit, of, hint: () => (name === "app" ? APP_HINT : OTHER_CALLS_HINT) };
    }
    const limit = row[name];
    return { name, limit, of: caller.account, hint: () => upgradeHint(name, limit) };
  };
  const upgradeHint = (name: "burst" | "daily", limit: Limit): string => {
    const upgrade = planWithMore(schedule, name, limit);
    return upgrade === null
      ? ""
      : ` The "${upgrade.plan}" plan allows ${describeLimit(name, upgrade.limit)}.`;
  };
  const windowsOf = (names: readonly Window["name"][], caller: Principal) =>
    names.map((name) => windowOf(name, caller)).filter((window) => window !== null);

  /** Counts one call in each window; a call that one of them rejects is charged to none. */
  const count = async (charged: readonly CallerWindow[]): Promise<void> => {
    for (const [i, { name, limit, of, hint }] of charged.entries()) {
      const waitMs = await windows.take(name, limit, of);
      if (waitMs === null) continue;
      for (const before of charged.slice(0, i)) await windows.refund(before.name, before.limit, before.of);
      throw exceeded(name, limit, waitMs, `Limit reached: ${describeLimit(name, limit)}`, hint());
    }
  };

  const start = { call: createRunningCalls(running), message: createRunningCalls(running) } as const;

  return {
    countBurst: (caller) => count(windowsOf(["burst"], caller)),
    startCall: ({ account }, signal, kind = "call") => start[kind](account, signal),
    countDaily: (caller, share) =>
      count(windowsOf(share === undefined ? ["app", "daily"] : ["app", share, "daily"], caller)),
    usage: (caller) =>
      Promise.all(
        windowsOf(isLimited(caller) ? [...SHOWN, "app"] : SHOWN, caller).map(async ({ name, limit, of }) => {
          const { remaining, msLeft } = await windows.usage(name, limit, of);
          return { name, ...limit, remaining, reset: Math.ceil(msLeft / 1_000) };
        }),
      ),
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

/** Windows of every caller. That of an app is shown only if it has a limit. */
const SHOWN = ["burst", "daily", "assistant"] as const;
const isLimited = ({ dailyCalls = null }: Principal): boolean => dailyCalls !== null;

/** Returns the window of an app, which counts without a limit too, for one that is set later; null for other callers. */
const appWindow = (caller: Principal): Limit | null =>
  isApp(caller) ? { quota: caller.dailyCalls ?? Number.MAX_SAFE_INTEGER, window: DAY_S } : null;

const APP_HINT =
  " A person of the account can raise the limit of the app on the page /account; an app cannot.";
const OTHER_CALLS_HINT = " Calls other than plain-language questions still work.";

const describeLimit = (name: Window["name"], { quota, window }: Limit): string =>
  name === "burst" ? `${quota} calls in ${window} s` : `${quota} ${COUNTED[name]} per day`;

const COUNTED = { daily: "calls", assistant: "plain-language questions", app: "calls of this app" } as const;
