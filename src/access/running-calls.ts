import { ToolError } from "../kernel/errors.ts";
import { isBusy, yieldToEventLoop } from "../lib/event-loop.ts";

export interface RunningLimits {
  /** Maximum number of running calls of one account. */
  readonly running: number;
  /** Maximum number of calls of one account that wait for a running one to end. */
  readonly waiting: number;
  /** Maximum waiting time in milliseconds. */
  readonly waitMs: number;
}

/** As many calls may wait as an account of the pro plan may send in a minute: its quota alone limits their number. */
const LIMITS: RunningLimits = { running: 8, waiting: 300, waitMs: 10_000 };
/** Seconds after which a refused caller may retry. */
const RETRY_AFTER_S = 2;

/**
 * Ends a running call. The call of the account that has waited longest starts in a later iteration of the event loop.
 */
type End = () => void;

interface AccountCalls {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Limits the number of running calls per account, so that one account cannot delay the others. Returns a function that
 * starts a call, immediately or after a wait, and returns a function that ends it. It throws RATE_LIMITED if too many
 * calls wait, and rejects with RATE_LIMITED if this one waits too long, or with the abort reason of the signal.
 */
export function createRunningCalls({ running: limit, waiting: maxWaiting, waitMs }: RunningLimits = LIMITS) {
  const accounts = new Map<string, AccountCalls>();

  function end(account: string, calls: AccountCalls): void {
    // calls that never wait would otherwise follow each other within one iteration
    if (calls.waiting.size > 0) void yieldToEventLoop(account).then(() => handOver(account, calls));
    else handOver(account, calls);
  }

  function handOver(account: string, calls: AccountCalls): void {
    const [next] = calls.waiting;
    if (next !== undefined) {
      calls.waiting.delete(next);
      next();
    } else if (--calls.running === 0) accounts.delete(account);
  }

  return (account: string, signal?: AbortSignal): End | Promise<End> => {
    const calls = accounts.get(account) ?? { running: 0, waiting: new Set() };
    const endCall = () => end(account, calls);
    if (calls.running < limit) {
      accounts.set(account, calls);
      calls.running++;
      return calls.running > 1 && isBusy() ? yieldToEventLoop(account).then(() => endCall) : endCall;
    }
    if (calls.waiting.size >= maxWaiting)
      throw limitError(`This account already has ${limit} running calls and ${maxWaiting} waiting`, limit);
    return new Promise((resolve, reject) => {
      const start = () => {
        stopWaiting();
        resolve(endCall);
      };
      const fail = (cause: unknown) => {
        calls.waiting.delete(start);
        stopWaiting();
        reject(cause);
      };
      const abort = () => fail(signal?.reason);
      const timer = setTimeout(
        () => fail(limitError(`The ${limit} running calls of this account took too long`, limit)),
        waitMs,
      );
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      signal?.addEventListener("abort", abort, { once: true });
      calls.waiting.add(start);
    });
  };
}

const limitError = (message: string, limit: number): ToolError =>
  new ToolError("RATE_LIMITED", message, {
    hint: `Wait for some calls to end, or retry in ${RETRY_AFTER_S} s.`,
    data: { limit, retry_after: RETRY_AFTER_S },
  });
