import type { Clock } from "../../ports/index.ts";
import { type Allowance, createAllowance } from "./meter.ts";
import type { Budget } from "./source.ts";

/** The longest that a vendor's refusal of one kind of question keeps the others waiting. */
const LONGEST_MS = 60_000;

/** What all that is asked of one vendor shares: its limit on calls, and the pause after it has refused one of them. */
export interface VendorAccount {
  /** What the vendor allows altogether; null where that is not known. */
  readonly allowance: Allowance | null;
  /** Epoch ms; nothing is asked before. */
  pausedUntil(): number;
  pause(until: number): void;
}

/** Opens an account with a vendor that allows so many calls altogether; null where it does not say. */
export function vendorAccount(limit: Budget | null, clock: Clock): VendorAccount {
  const now = () => clock.now().getTime();
  let paused = 0;
  return {
    allowance: limit === null ? null : createAllowance(limit, clock),
    pausedUntil() {
      // after a clock was set back no pause is longer than the longest
      paused = Math.min(paused, now() + LONGEST_MS);
      return paused;
    },
    pause(until) {
      paused = Math.max(paused, until);
    },
  };
}
