import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../domain/ports.ts";
import { type Budget, ProviderFailure } from "../../domain/providers/price-provider.ts";

/** Longest wait for a free place in a window; a caller who would wait longer asks another source. */
const MAX_WAIT_MS = 400;
/** Longest wait for a call under way to end: calls end soon, and the next source is asked beside meanwhile. */
const MAX_QUEUE_MS = 1_500;

/** A limit of ours that holds a call back: no fault of the source. */
export class OwnLimitReached extends ProviderFailure {
  constructor() {
    super("rate_limited", "our own limit on calls to it is reached");
  }
}

/** Counts the calls that leave for one source, exactly: never more than the budget in any window. */
export interface Meter {
  /** Calls that could leave now. */
  left(): number;
  /** Whether a call could leave soon enough to be worth waiting for. */
  ready(): boolean;
  /** Milliseconds until a call could leave; 0 where one could now. */
  wait(): number;
  /** Waits for a place and takes it, until `done` is called. Rejects with OwnLimit where there is none soon. */
  acquireSlot(signal?: AbortSignal): Promise<() => void>;
}

/** A sliding window over the moments at which calls left, and a count of those under way. */
export interface Allowance {
  left(): number;
  /** Milliseconds until a place is free; 0 where one is. */
  wait(): number;
  /** Whether as many are under way as may be. */
  isFull(): boolean;
  /** Takes a place; what it returns says that the call is over. */
  take(): () => void;
}

/** Calls that left before this process began to count, and who is told of further ones. */
export interface CallLog {
  readonly before: readonly number[];
  record(at: number): void;
}

/** What may be asked within one budget. */
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
    // after a clock was set back nobody knows when calls of its future left: they count as of now
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

/** A meter over allowances that a call needs a place in, each of them. `maxWaitMs`: the longest wait. */
export function createMeter(allowances: readonly Allowance[], maxWaitMs: number = MAX_WAIT_MS): Meter {
  const wait = () => Math.max(...allowances.map((one) => one.wait()));
  return {
    left: () => Math.min(...allowances.map((one) => one.left())),
    ready: () => wait() <= maxWaitMs,
    wait,
    async acquireSlot(signal) {
      const patience = new AbortController();
      const started = performance.now();
      for (;;) {
        const due = wait();
        if (due === 0 && !allowances.some((one) => one.isFull())) break;
        const longest = due > 0 ? maxWaitMs : Math.max(MAX_QUEUE_MS, maxWaitMs);
        if (due > maxWaitMs || performance.now() - started > longest) throw new OwnLimitReached();
        await sleep(Math.min(25, Math.max(5, due)), undefined, { signal: signal ?? patience.signal }).catch(
          () => {
            throw new ProviderFailure("timeout", "nobody waits for it any more");
          },
        );
      }
      const taken = allowances.map((one) => one.take());
      return () => {
        for (const done of taken) done();
      };
    },
  };
}

/** A fetch whose every call is counted; the place is given back when the answer's head is there. */
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
