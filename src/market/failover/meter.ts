import { setTimeout as sleep } from "node:timers/promises";
import type { Limit, Windows } from "../../domain/accounts/windows-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { type Budget, ProviderFailure } from "../../domain/providers/price-provider.ts";

/** Name of the windows of providers among those of callers. */
const WINDOW = "provider";
/** Maximum wait for a free slot in a window, ms. If the wait would be longer, the next provider is called. */
const MAX_WAIT_MS = 400;
/** Maximum wait for a running call to end, ms. */
const MAX_QUEUE_MS = 1_500;

/** Maximum pause of all requests of an account after one of its providers reached a rate limit, ms. */
const MAX_PAUSE_MS = 60_000;
/** Maximum number of parts of a shared budget; more parts leave less of it unused and need more statements. */
const MAX_PARTS = 10;
/** Windows of at least this length, ms, also count the calls of earlier processes. */
const PERSISTED_WINDOW_MS = 3_600_000;

/** Thrown if our own call limit is reached, which is not a failure of the provider. */
export class OwnLimitReached extends ProviderFailure {
  constructor() {
    super("rate_limited", "our own call limit for this provider is reached");
  }
}

/** Limits the calls to one provider to its budget in every window. */
export interface Meter {
  /** Returns the number of calls allowed now. */
  left(): number;
  /** Returns true if a slot is free within the maximum wait. */
  ready(): boolean;
  /** Returns the milliseconds until a call is allowed; 0 if one is now. */
  wait(): number;
  /** Waits for a slot and returns a function that releases it. Rejects with OwnLimitReached if none is free soon. */
  acquireSlot(signal?: AbortSignal): Promise<() => void>;
}

/** Budget of one sliding window, with the number of running calls. */
export interface Allowance {
  left(): number;
  /** Returns the milliseconds until a slot is free; 0 if one is now. */
  wait(): number;
  /** Returns true if the maximum number of calls is running. */
  isFull(): boolean;
  /** Takes a slot and returns a function that ends the call. */
  take(): () => void;
}

/** Times of calls made before this process started (epoch ms), and a method that records further calls. */
export interface CallLog {
  readonly before: readonly number[];
  record(at: number): void;
}

/** Takes back a call that was counted and not made. */
export type Refund = () => Promise<void>;

/** Budgets that several servers share. */
export interface SharedBudgets {
  /** Counts a call in every budget. If a budget is used up, counts it in none and returns the wait in ms. */
  take(): Promise<Refund | { readonly waitMs: number }>;
}

/** Creates the budgets with this name that all servers on one database share. */
export function sharedBudgets(windows: Windows, name: string, budgets: readonly Budget[]): SharedBudgets {
  const parts = budgets.map((budget) => partsOf(budget));
  /** The part of each budget in which the last call was counted. */
  const current = budgets.map(() => 0);

  /** Counts a call in the first part with room, beginning with the current one. */
  async function takeOf(budget: number): Promise<Refund | { readonly waitMs: number }> {
    const all = parts[budget]!;
    let waitMs = Number.POSITIVE_INFINITY;
    const first = current[budget]!;
    for (let i = 0; i < all.length; i++) {
      const at = (first + i) % all.length;
      const caller = `${name} ${at}`;
      const wait = await windows.take(WINDOW, all[at]!, caller);
      if (wait !== null) waitMs = Math.min(waitMs, wait);
      else {
        current[budget] = at;
        return () => windows.refund(WINDOW, all[at]!, caller);
      }
    }
    return { waitMs: Math.max(1, waitMs) };
  }

  return {
    async take() {
      const refunds: Refund[] = [];
      const refund: Refund = async () => {
        for (const one of refunds) await one();
      };
      for (const budget of budgets.keys()) {
        const taken = await takeOf(budget);
        if (typeof taken === "function") refunds.push(taken);
        else {
          await refund();
          return taken;
        }
      }
      return refund;
    },
  };
}

/**
 * Splits a budget into parts. A used-up part has room again only when its length has passed since its last call, so the
 * calls within any such length never exceed the budget. Windows that run from their first call would admit twice as many
 * around their end.
 */
function partsOf({ calls, perMs }: Budget): readonly Limit[] {
  const count = Math.min(calls, MAX_PARTS);
  return Array.from({ length: count }, (_, i) => ({
    quota: Math.floor(calls / count) + (i < calls % count ? 1 : 0),
    window: perMs / 1_000,
    fromLast: true,
  }));
}

/**
 * Returns the part of a budget that each process may use; at least one call. `isShared`: the calls of all processes are
 * counted together, so that each may use the whole budget. Default: false.
 */
export const shareOf = (
  { calls, perMs, atOnce }: Budget,
  processes: number,
  { isShared = false } = {},
): Budget => ({
  calls: isShared ? calls : Math.max(1, Math.floor(calls / processes)),
  perMs,
  atOnce: Math.max(1, Math.floor(atOnce / processes)),
});

/** Creates the allowance of one budget; `counted` adds the calls of earlier processes. */
export function createAllowance(
  { calls, perMs, atOnce }: Budget,
  clock: Clock,
  counted?: CallLog,
): Allowance {
  const callTimes: number[] = [...(counted?.before ?? [])];
  let running = 0;
  const now = () => clock.now().getTime();
  const forget = (at: number) => {
    while (callTimes.length > 0 && at - callTimes[0]! >= perMs) callTimes.shift();
    // if the clock was set back, calls with a future time count as made now
    for (let i = callTimes.length - 1; i >= 0 && callTimes[i]! > at; i--) callTimes[i] = at;
  };
  return {
    left() {
      forget(now());
      return Math.max(0, calls - callTimes.length);
    },
    wait() {
      const at = now();
      forget(at);
      return callTimes.length < calls ? 0 : callTimes[callTimes.length - calls]! + perMs - at;
    },
    isFull: () => running >= atOnce,
    take() {
      const at = now();
      callTimes.push(at);
      counted?.record(at);
      running++;
      let open = true;
      return () => {
        if (open) running--;
        open = false;
      };
    },
  };
}

/**
 * Creates a meter that requires a slot in every allowance. `maxWaitMs`: maximum wait for a slot; default: 400 ms.
 * `timeScale`: factor of the maximum wait for a running call; default: 1. `shared`: budgets in which each call is counted
 * too; default: none.
 */
export function createMeter(
  allowances: readonly Allowance[],
  {
    maxWaitMs = MAX_WAIT_MS,
    timeScale = 1,
    shared,
  }: {
    readonly maxWaitMs?: number | undefined;
    readonly timeScale?: number;
    readonly shared?: SharedBudgets;
  } = {},
): Meter {
  /** Monotonic time until which a shared budget is used up. */
  let usedUpUntil = 0;
  const wait = () =>
    Math.max(
      ...allowances.map((allowance) => allowance.wait()),
      Math.ceil(Math.max(0, usedUpUntil - performance.now())),
    );
  /**
   * Counts a call in the shared budgets and returns a function that takes it back; null if one of them is used up.
   * @throws OwnLimitReached if that is unknown
   */
  async function takeShared(): Promise<Refund | null> {
    if (shared === undefined) return async () => {};
    const taken = await shared.take().catch(() => {
      throw new OwnLimitReached();
    });
    if (typeof taken === "function") return taken;
    usedUpUntil = performance.now() + taken.waitMs;
    return null;
  }
  return {
    left: () => Math.min(...allowances.map((allowance) => allowance.left())),
    ready: () => wait() <= maxWaitMs,
    wait,
    async acquireSlot(signal) {
      const never = new AbortController();
      const started = performance.now();
      const isFree = () => wait() === 0 && !allowances.some((allowance) => allowance.isFull());
      for (;;) {
        const refund = isFree() ? await takeShared() : null;
        if (refund !== null) {
          if (isFree()) break;
          // another call took the slot meanwhile
          await refund().catch(() => {});
        }
        const waitMs = wait();
        const longest = waitMs > 0 ? maxWaitMs : Math.max(MAX_QUEUE_MS * timeScale, maxWaitMs);
        if (waitMs > maxWaitMs || performance.now() - started > longest) throw new OwnLimitReached();
        await sleep(Math.min(25, Math.max(5, waitMs)), undefined, { signal: signal ?? never.signal }).catch(
          () => {
            throw new ProviderFailure("timeout", "the caller aborted");
          },
        );
      }
      const releases = allowances.map((allowance) => allowance.take());
      return () => {
        for (const done of releases) done();
      };
    },
  };
}

/** Returns a fetch function that takes a slot for each call and releases it when the response headers arrive. */
export const meteredFetch =
  (fetch: typeof globalThis.fetch, meter: () => Meter): typeof globalThis.fetch =>
  async (input, init) => {
    const done = await meter().acquireSlot(init?.signal ?? undefined);
    try {
      return await fetch(input, init);
    } finally {
      done();
    }
  };

/** Call limits and pauses shared by all providers that use the same account. */
export interface ProviderAccount {
  /** Limits of the account; empty if unknown. */
  readonly allowances: readonly Allowance[];
  /** Returns the time until which no request is sent, epoch ms. */
  pausedUntil(): number;
  pause(until: number): void;
}

/** Creates an account with these limits; `counted` adds the calls of earlier processes. */
export function createProviderAccount(
  limits: readonly Budget[],
  clock: Clock,
  counted?: CallLog,
): ProviderAccount {
  const now = () => clock.now().getTime();
  const longest = Math.max(...limits.map(({ perMs }) => perMs));
  let paused = 0;
  return {
    allowances: limits.map((limit) => {
      if (counted === undefined || limit.perMs < PERSISTED_WINDOW_MS) return createAllowance(limit, clock);
      // each call is recorded once, in the longest window
      const records = limit.perMs === longest;
      return createAllowance(limit, clock, records ? counted : { ...counted, record: () => {} });
    }),
    pausedUntil() {
      // shortens the pause if the system clock was set back
      paused = Math.min(paused, now() + MAX_PAUSE_MS);
      return paused;
    },
    pause(until) {
      paused = Math.max(paused, until);
    },
  };
}
