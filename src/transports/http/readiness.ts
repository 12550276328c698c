import type { Dependencies } from "../../domain/operation-port.ts";
import type { StorageFault } from "../../domain/ports.ts";

/** Largest difference between the clocks of this machine and of PostgreSQL, in milliseconds, at which a server is ready. */
export const MAX_CLOCK_OFFSET_MS = 5_000;

interface Readiness {
  readonly ok: boolean;
  readonly status: "ready" | "read_only" | "draining" | "damaged" | "database_unavailable" | "clock_off";
  /** Start of the fault of the stored data. */
  readonly since?: string;
  /** State of each dependency; null if it is unknown. */
  readonly detail: ReturnType<typeof detailOf> | null;
}

/** Returns the readiness of a server, and the state of its dependencies. */
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

/** Returns the state of each dependency with `ok` and its figures; those that SQLite does not have are null. */
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
    listener: { ok: database !== null && database.is_listening !== false },
    disk: { ok: storage?.kind !== "full", free_bytes: disk_free_bytes },
    compute: { ok: compute.paused_s === null, ...compute },
    providers: { ok: providers.length === 0 || failing.length < providers.length, failing },
  };
}
