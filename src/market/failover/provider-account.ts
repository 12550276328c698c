import type { Clock } from "../../domain/ports.ts";
import type { Budget } from "../../domain/providers/price-provider.ts";
import { type Allowance, type CallLog, createAllowance } from "./meter.ts";

/** Maximum pause of all requests after a provider rejected one kind of request, ms. */
const MAX_PAUSE_MS = 60_000;
/** A window so long outlasts a process: what was asked before it began counts. */
const PERSISTED_WINDOW_MS = 3_600_000;

/** What all that is asked of one vendor shares: its limits on calls, and the pause after it has refused one of them. */
export interface ProviderAccount {
  /** What the vendor allows altogether; none where that is not known. */
  readonly allowances: readonly Allowance[];
  /** Time before which no request is sent, epoch ms. */
  pausedUntil(): number;
  pause(until: number): void;
}

/** Opens an account with a vendor that allows so many calls altogether; `counted`: what it was asked before. */
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
      // each call is told of once, however many windows it counts in
      const tells = limit.perMs === longest;
      return createAllowance(limit, clock, tells ? counted : { ...counted, record: () => {} });
    }),
    pausedUntil() {
      // after a clock was set back no pause is longer than the longest
      paused = Math.min(paused, now() + MAX_PAUSE_MS);
      return paused;
    },
    pause(until) {
      paused = Math.max(paused, until);
    },
  };
}
