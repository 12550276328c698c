import type { Dependencies } from "../../domain/operation-port.ts";
import type { StorageFault } from "../../domain/ports.ts";

/** Difference between two clocks, in milliseconds, above which times that processes store for each other are wrong. */
export const MAX_CLOCK_OFFSET_MS = 5_000;

interface Readiness {
  readonly ok: boolean;
  readonly status: "ready" | "read_only" | "draining" | "damaged" | "database_unavailable" | "clock_off";
  /** Time since which the stored data have a fault. */
  readonly since?: string;
  /** State of each dependency; null if it is not known. */
  readonly detail: ReturnType<typeof detailOf> | null;
}

/** Returns whether a server can serve calls, and the state of what it depends on. */
export function readinessOf({
  isDraining,
  fault,
  dependencies,
}: {
  readonly isDraining: boolean;
  readonly fault: StorageFault | null;
  readonly dependencies: Dependencies | null;
}): Readiness {
  const detail = dependencies === null ? null : detailOf(dependencies);
  const not = (status: Readiness["status"]) => ({ ok: false, status, detail });
  if (isDraining) return not("draining");
  if (fault?.kind === "damaged") return { ...not("damaged"), since: fault.since };
  if (detail?.database.ok === false) return not("database_unavailable");
  if (detail?.clock.ok === false) return not("clock_off");
  return fault?.kind === "full"
    ? { ok: true, status: "read_only", since: fault.since, detail }
    : { ok: true, status: "ready", detail };
}

/** States each dependency with `ok`, and with what the operator needs to know; figures that SQLite does not have are null. */
function detailOf({ storage, database, disk_free_bytes, compute, providers }: Dependencies) {
  const offset = database?.clock_offset_ms ?? null;
  const failing = providers.filter(({ answering }) => !answering).map(({ name }) => name);
  return {
    database: {
      ok: database !== null && storage?.kind !== "damaged",
      fault: storage?.kind ?? null,
      connections: database?.connections ?? null,
    },
    clock: { ok: offset === null || Math.abs(offset) <= MAX_CLOCK_OFFSET_MS, offset_ms: offset },
    listener: { ok: database?.is_listening !== false },
    disk: { ok: storage?.kind !== "full", free_bytes: disk_free_bytes },
    compute: { ok: compute.paused_s === null, ...compute },
    providers: { ok: providers.length === 0 || failing.length < providers.length, failing },
  };
}
