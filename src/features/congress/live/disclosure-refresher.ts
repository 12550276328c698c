import { setTimeout as sleep } from "node:timers/promises";
import type { Chamber } from "../../../domain/congress/congress.ts";
import type { DisclosureRepository } from "../../../domain/congress/disclosure-repository-port.ts";
import type { DisclosureProvider } from "../../../domain/congress/provider.ts";
import type { ProviderAttempt } from "../../../domain/market/provenance.ts";
import type { Clock, Log } from "../../../domain/ports.ts";
import { type FailureKind, ProviderFailure } from "../../../domain/providers/price-provider.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { dayAfter } from "../../../lib/day-after.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { createSingleFlight } from "../../../market/failover/single-flight.ts";
import { CHAMBERS } from "../filing-coverage.ts";
import type { Join } from "./roster.ts";

/**
 * Number of past days whose disclosures are stored and, if unmatched, joined again; and number of past days whose
 * missing filings are retried.
 */
const HISTORY_DAYS = 400;
const RETRY_DAYS = 14;
/**
 * Number of days before the newest filing that are requested again if filings have no numbers, since some arrive late.
 */
const OVERLAP_DAYS = 7;
/** Pause of background refreshes after a failure, ms. */
const FAILURE_PAUSE_MS = 15 * 60_000;
/** Failures after which a retry may succeed. */
const TRANSIENT_FAILURES: ReadonlySet<FailureKind> = new Set(["malformed", "down", "timeout", "blocked"]);
/** Maximum number of responses read from one provider per refresh. */
const MAX_ANSWERS = 200;

export interface DisclosureRefreshOptions {
  readonly providers: Readonly<Record<Chamber, readonly Guarded<DisclosureProvider>[]>>;
  readonly repository: DisclosureRepository;
  readonly join: () => Promise<Join>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps stored disclosures current. */
export interface DisclosureRefresher {
  /** Stores new filings from the first provider that responds. `once`: reads one response. Rejects if none responds. */
  refresh(
    chamber: Chamber,
    options?: { readonly signal?: AbortSignal | undefined; readonly once?: boolean },
  ): Promise<void>;
  /**
   * Starts the first download and waits at most `waitMs` for it; the download then continues. Never rejects. Returns
   * the failed attempts; empty if the download succeeded.
   */
  waitForFirst(
    chamber: Chamber,
    options: { readonly waitMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly ProviderAttempt[]>;
  /** Refreshes one chamber without waiting; failures are logged. */
  refreshInBackground(chamber: Chamber): void;
  /** Refreshes both chambers, one after the other; failures are logged. */
  refreshAll(): Promise<void>;
  /** Returns what the last response of a chamber's provider says about its filings; null if it says nothing. */
  note(chamber: Chamber): string | null;
  close(): Promise<void>;
}

/** Creates a refresher. It stores disclosures newest first, each numbered filing once, joined to its member. */
export function createDisclosureRefresher({
  providers,
  repository,
  join,
  clock,
  log,
}: DisclosureRefreshOptions): DisclosureRefresher {
  const flights = createSingleFlight<object>();
  const stop = new AbortController();
  const backgroundWork = new Set<Promise<void>>();
  const failedAt = new Map<Chamber, number>();
  const notes = new Map<Chamber, string>();
  const failedLately = (chamber: Chamber) =>
    clock.now().getTime() - (failedAt.get(chamber) ?? 0) < FAILURE_PAUSE_MS;
  const dayBefore = (days: number) => dayAfter(clock.now().toISOString().slice(0, 10), -days);

  async function refreshChamber(chamber: Chamber, once: boolean, signal: AbortSignal): Promise<void> {
    const tried: ProviderAttempt[] = [];
    let last: ProviderFailure | undefined;
    let waiting = [...providers[chamber]];
    for (let round = 0; round < (once ? 2 : 1); round++) {
      const again: typeof waiting = [];
      for (const guarded of waiting) {
        const started = clock.now().getTime();
        try {
          return await refreshFrom(guarded, chamber, once, signal);
        } catch (cause) {
          if (signal.aborted || !(cause instanceof ProviderFailure)) throw cause;
          const { name } = guarded.provider;
          log.warn("disclosures_not_taken", { source: name, chamber, failure: cause.kind });
          tried.push({ provider: name, outcome: cause.kind, ms: clock.now().getTime() - started });
          if (TRANSIENT_FAILURES.has(cause.kind)) again.push(guarded);
          last = cause;
        }
      }
      waiting = again;
    }
    failedAt.set(chamber, clock.now().getTime());
    throw new ToolError("UPSTREAM_UNAVAILABLE", `No provider of the ${chamber} responds now`, {
      data: { tried },
      cause: last,
    });
  }

  async function refreshFrom(
    guarded: Guarded<DisclosureProvider>,
    chamber: Chamber,
    once: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const key = { source: guarded.provider.name, chamber };
    const joined = await join();
    const unmatched = (await repository.unmatched(key, dayBefore(HISTORY_DAYS))).map(joined);
    const found = unmatched.filter(({ member_id }) => member_id !== null);
    const unchanged = { unread: [], read: [], completeFrom: null, answeredAt: null, refreshedAt: null };
    if (found.length > 0) await repository.save({ ...key, ...unchanged, trades: found });

    for (let nth = 0; nth < MAX_ANSWERS; nth++) {
      const filings = await guarded.call(
        async (stopped) =>
          guarded.provider.call({ ...(await requestOf(key)), ticker: null }, { signal: stopped }),
        signal,
      );
      if (filings.note === undefined) notes.delete(chamber);
      else notes.set(chamber, filings.note);
      await repository.save({
        ...key,
        trades: filings.trades.map(joined),
        unread: filings.unread,
        read: filings.read,
        completeFrom: filings.completeFrom,
        answeredAt: clock.now().getTime(),
        refreshedAt: filings.more ? null : clock.now().getTime(),
      });
      // an answer without filings would only be repeated
      if (!filings.more || once || filings.read.length === 0) return;
    }
  }

  async function requestOf(key: { readonly source: string; readonly chamber: Chamber }) {
    const known = await repository.known(key, dayBefore(RETRY_DAYS));
    const { newest, refreshedAt } = await repository.state(key);
    const earliest = dayBefore(HISTORY_DAYS);
    // filing numbers show which filings are new, so no overlap is needed
    const since =
      known.size > 0 || newest === null || refreshedAt === null ? earliest : dayAfter(newest, -OVERLAP_DAYS);
    return { chamber: key.chamber, since: [since, earliest].sort()[1]!, until: dayBefore(0), known };
  }

  const refresh: DisclosureRefresher["refresh"] = async (chamber, { signal, once = false } = {}) => {
    await flights(
      `${chamber} ${once}`,
      async (stopped) => {
        await refreshChamber(chamber, once, AbortSignal.any([stopped, stop.signal]));
        return {};
      },
      signal,
    );
  };
  const refreshAndLog = (chamber: Chamber): Promise<void> =>
    refresh(chamber).catch((cause: unknown) => {
      if (!stop.signal.aborted) log.warn("disclosures_not_refreshed", { chamber, cause });
    });
  return {
    refresh,
    note: (chamber) => notes.get(chamber) ?? null,
    async waitForFirst(chamber, { waitMs, signal }) {
      const refreshed: Promise<readonly ProviderAttempt[]> = refresh(chamber, { once: true })
        .then(() => [], attemptsOf)
        .finally(() => backgroundWork.delete(tracked));
      const tracked = refreshed.then(() => undefined);
      backgroundWork.add(tracked);
      const ended = new AbortController();
      const left = AbortSignal.any([ended.signal, stop.signal, ...(signal === undefined ? [] : [signal])]);
      const timedOut = sleep(waitMs, undefined, { signal: left })
        .catch(() => undefined)
        .then(() =>
          providers[chamber].map(({ provider: source }) => ({
            provider: source.name,
            outcome: "timeout",
            ms: waitMs,
          })),
        );
      try {
        return await Promise.race([refreshed, timedOut]);
      } finally {
        ended.abort();
      }
    },
    refreshInBackground(chamber) {
      if (providers[chamber].length === 0 || stop.signal.aborted || failedLately(chamber)) return;
      const work = refreshAndLog(chamber).finally(() => backgroundWork.delete(work));
      backgroundWork.add(work);
    },
    async refreshAll() {
      for (const chamber of CHAMBERS)
        if (providers[chamber].length > 0 && !stop.signal.aborted) await refreshAndLog(chamber);
    },
    async close() {
      stop.abort();
      await Promise.allSettled(backgroundWork);
    },
  };
}

/** Returns the attempts recorded in an error; empty for any other failure. */
export const attemptsOf = (cause: unknown): readonly ProviderAttempt[] => {
  const tried = cause instanceof ToolError ? cause.data?.tried : undefined;
  return Array.isArray(tried) ? (tried as readonly ProviderAttempt[]) : [];
};
