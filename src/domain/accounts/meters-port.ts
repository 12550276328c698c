import type { Principal, Window } from "./access.ts";

/** A message that was counted when it arrived: the calls it makes are not counted in the burst window again. */
export interface AdmittedMessage {
  /** Account of the caller, or its network without one. */
  readonly account: string;
}

/**
 * Limits messages per account across all transports. Rejects with RATE_LIMITED (data: window, retry_after in seconds).
 */
export interface Meters {
  /** Charges a message to the burst window when it arrives, before its plan, scope and input are checked. */
  countBurst(caller: Principal): Promise<void>;
  /**
   * Charges a call to the daily quota, just before its handler runs, and to the quota `share` if the plan has one.
   */
  countDaily(caller: Principal, share?: "assistant"): Promise<void>;
  /**
   * Starts a call once the account has fewer running calls than allowed. Returns a function that ends it. Fails with
   * RATE_LIMITED if too many calls wait, and with the abort reason of the signal. Messages that call no tool, such as
   * the cancellation of a call, have slots of their own. Default: a call.
   */
  startCall(
    caller: Principal,
    signal?: AbortSignal,
    kind?: "call" | "message",
  ): (() => void) | Promise<() => void>;
  /** Returns every rate window of the caller without counting a call. */
  usage(caller: Principal): Promise<readonly Window[]>;
}
