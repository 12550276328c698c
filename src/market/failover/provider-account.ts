import type { Clock } from "../../domain/ports.ts";
import type { Budget } from "../../domain/providers/price-provider.ts";
import { type Allowance, type CallLog, createAllowance } from "./meter.ts";

/** Maximum pause of all requests after a provider rejected one kind of request, ms. */
const MAX_PAUSE_MS = 60_000;
/** Windows of this length or longer also count the calls of earlier processes. */
const PERSISTED_WINDOW_MS = 3_600_000;

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
