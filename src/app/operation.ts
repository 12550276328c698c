import type { AuditVerifier } from "../domain/audit/audit-port.ts";
import type { Operation } from "../domain/operation-port.ts";
import type { Clock, Ports } from "../domain/ports.ts";
import { freeBytes } from "../store/data-dir.ts";
import { jobCounts, queueStates } from "../store/queue-states.ts";
import type { Store } from "../store/store.ts";

/** Maximum wait for an answer of the database. */
const ANSWER_MS = 1_500;
/** Time for which a result is reused, so that probes cost the database at most one statement a second. */
const FRESH_MS = 1_000;

interface OperationDeps {
  readonly store: Pick<Store, "db" | "health" | "probe">;
  readonly clock: Clock;
  readonly dataDir: string;
  /** Maximum wait for an answer of the database. Default: 1.5 s. */
  readonly answerMs?: number;
}

/** Creates what operators watch of an installation, for /readyz and /metrics. */
export function openOperation({ store, clock, dataDir, answerMs = ANSWER_MS }: OperationDeps) {
  let isAuditIntact: boolean | null = null;
  return {
    /** Returns the same verifier, whose last result `isAuditIntact` then returns. */
    observed: (verifier: AuditVerifier): AuditVerifier => ({
      ...verifier,
      async check(options) {
        const report = await verifier.check(options);
        isAuditIntact = report.ok;
        return report;
      },
    }),

    /** Returns what operators watch of a server with these ports. */
    of: (
      { compute, providerHealth, market }: Pick<Ports, "compute" | "providerHealth" | "market">,
      isLeader: () => boolean,
    ): Operation => ({
      dependencies: fresh(async () => ({
        storage: store.health.fault(),
        database: await inTime(store.probe(), answerMs),
        disk_free_bytes: freeSpace(dataDir),
        compute: compute.health(),
        providers: providerHealth.current().map(({ name, answering }) => ({ name, answering })),
      })),
      queues: fresh(async () => {
        const states = queueStates({ db: store.db, market: market.id }, clock.now().getTime());
        return (await inTime(states, answerMs)) ?? [];
      }),
      jobs: fresh(async () => {
        const counts = jobCounts({ db: store.db, market: market.id });
        return (await inTime(counts, answerMs)) ?? [];
      }),
      isLeader,
      isAuditIntact: () => isAuditIntact,
    }),
  };
}

/** Resolves to the result of the work; null if it rejects or takes longer. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([work.catch(() => null), late]).finally(() => clearTimeout(timer));
}

/** Returns the free space of the disk of a folder; null if it is unknown, as for a folder that was removed. */
function freeSpace(folder: string): number | null {
  try {
    return freeBytes(folder);
  } catch {
    return null;
  }
}

/** Returns a function that reuses the last result of the work for a second. */
function fresh<T>(work: () => Promise<T>): () => Promise<T> {
  let last: { readonly result: Promise<T>; readonly at: number } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now - last.at >= FRESH_MS) last = { result: work(), at: now };
    return last.result;
  };
}
