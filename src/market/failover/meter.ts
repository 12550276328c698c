import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../domain/ports.ts";
import { type Budget, ProviderFailure } from "../../domain/providers/price-provider.ts";

/** Longest wait for a free slot in a window; a caller that would wait longer calls another provider. */
const MAX_WAIT_MS = 400;
/** Longest wait for a running call to end. */
const MAX_QUEUE_MS = 1_500;

/** Maximum pause of all requests after a provider rejected one kind of request, ms. */
const MAX_PAUSE_MS = 60_000;
/** Windows of this length or longer also count the calls of earlier processes. */
const PERSISTED_WINDOW_MS = 3_600_000;

/** Our own call limit is reached; not a failure of the provider. */
export class OwnLimitReached extends ProviderFailure {
  constructor() {
    super("rate_limited", "our own limit on calls to it is reached");
  }
}

/** Limits the calls to one provider to its budget in every window. */
export interface Meter {
  /** Number of calls allowed now. */
  left(): number;
  /** True if a slot is free soon enough to wait for. */
  ready(): boolean;
  /** Milliseconds until a call is allowed; 0 if one is now. */
  wait(): number;
  /** Waits for a slot and returns a function that releases it. Rejects with OwnLimitReached if none is free soon. */
  acquireSlot(signal?: AbortSignal): Promise<() => void>;
}

/** A sliding window of call times, and the number of running calls. */
export interface Allowance {
  left(): number;
  /** Milliseconds until a slot is free; 0 if one is. */
  wait(): number;
  /** True if the maximum number of calls is running. */
  isFull(): boolean;
  /** Takes a slot and returns a function that ends the call. */
  take(): () => void;
}

/** Times of calls made before this process started, and a recorder of further calls. */
export interface CallLog {
  readonly before: readonly number[];
  record(at: number): void;
}

/** Calls allowed within one budget. */
export function createAllowance(
  { calls, perMs, atOnce }: Budget,
  clock: Clock,
  counted?: CallLog,
): Allowance {
  const left: number[] = [...(counted?.before ?? [])];
  let under = 0;
  const now = () => clock.now().getTime();
  const forget = (at: number) => {
    while (left.length > 0 && at - left[0]! >= perMs) left.shift();
    // after the clock was set back, calls in the future count as made now
    for (let i = left.length - 1; i >= 0 && left[i]! > at; i--) left[i] = at;
  };
  return {
    left() {
      forget(now());
      return Math.max(0, calls - left.length);
    },
    wait() {
      const at = now();
      forget(at);
      return left.length < calls ? 0 : left[left.length - calls]! + perMs - at;
    },
    isFull: () => under >= atOnce,
    take() {
      const at = now();
      left.push(at);
      counted?.record(at);
      under++;
      let open = true;
      return () => {
        if (open) under--;
        open = false;
      };
    },
  };
}

/** A meter that needs a slot in every allowance. `maxWaitMs`: longest wait. */
export function createMeter(allowances: readonly Allowance[], maxWaitMs: number = MAX_WAIT_MS): Meter {
  const wait = () => Math.max(...allowances.map((allowance) => allowance.wait()));
  return {
    left: () => Math.min(...allowances.map((allowance) => allowance.left())),
    ready: () => wait() <= maxWaitMs,
    wait,
    async acquireSlot(signal) {
      const never = new AbortController();
      const started = performance.now();
      for (;;) {
        const due = wait();
        if (due === 0 && !allowances.some((allowance) => allowance.isFull())) break;
        const longest = due > 0 ? maxWaitMs : Math.max(MAX_QUEUE_MS, maxWaitMs);
        if (due > maxWaitMs || performance.now() - started > longest) throw new OwnLimitReached();
        await sleep(Math.min(25, Math.max(5, due)), undefined, { signal: signal ?? never.signal }).catch(
          () => {
            throw new ProviderFailure("timeout", "the caller left");
          },
        );
      }
      const taken = allowances.map((allowance) => allowance.take());
      return () => {
        for (const done of taken) done();
      };
    },
  };
}

/** A fetch that takes a slot per call and releases it when the response headers arrive. */
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

/** Call limits and pauses shared by all providers of one vendor. */
export interface ProviderAccount {
  /** Limits of the whole account; empty if not known. */
  readonly allowances: readonly Allowance[];
  /** Time before which no request is sent, epoch ms. */
  pausedUntil(): number;
  pause(until: number): void;
}

/** Creates an account with these limits; `counted` holds the calls of earlier processes. */
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
      // limits the pause after the system clock was set back
      paused = Math.min(paused, now() + MAX_PAUSE_MS);
      return paused;
    },
    pause(until) {
      paused = Math.max(paused, until);
    },
  };
}
