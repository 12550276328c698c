import { Gauge, type Registry } from "prom-client";
import type { Dependencies, Operation } from "../../domain/operation-port.ts";

/** Combines the values of all processes of a server into one. */
type Aggregator = "sum" | "min" | "max";

/** A value, or one for each value of the labels. Null: the metric is omitted. */
type Reading = number | null | readonly (readonly [...labels: string[], value: number])[];

interface GaugeDef {
  readonly name: string;
  readonly help: string;
  readonly aggregator: Aggregator;
  readonly labels?: readonly string[];
  read(operation: Operation): Reading | Promise<Reading>;
}

const flag = (value: boolean): number => (value ? 1 : 0);
const ofDependencies =
  (read: (dependencies: Dependencies) => Reading) =>
  async (operation: Operation): Promise<Reading> =>
    read(await operation.dependencies());

const GAUGES: readonly GaugeDef[] = [
  {
    name: "leader",
    help: "1 in the process that runs the background work.",
    aggregator: "sum",
    read: (operation) => flag(operation.isLeader()),
  },
  {
    name: "queue_due",
    help: "Number of items that are due and have not begun.",
    aggregator: "max",
    labels: ["queue"],
    read: async (operation) => (await operation.queues()).map(({ queue, due }) => [queue, due]),
  },
  {
    name: "queue_oldest_seconds",
    help: "Seconds for which the oldest item that has not begun has been due.",
    aggregator: "max",
    labels: ["queue"],
    read: async (operation) =>
      (await operation.queues()).map(({ queue, oldest_ms }) => [queue, oldest_ms / 1_000]),
  },
  {
    name: "jobs",
    help: "Number of background jobs by kind and state.",
    aggregator: "max",
    labels: ["kind", "state"],
    read: async (operation) => (await operation.jobs()).map(({ kind, state, count }) => [kind, state, count]),
  },
  {
    name: "database_up",
    help: "1 if the database answers in time.",
    aggregator: "min",
    read: ofDependencies(({ database }) => flag(database !== null)),
  },
  {
    name: "database_connections",
    help: "Number of open and idle connections to PostgreSQL, and of calls waiting for one.",
    aggregator: "sum",
    labels: ["state"],
    read: ofDependencies(({ database }) => Object.entries(database?.connections ?? {})),
  },
  {
    name: "database_listener_up",
    help: "0 while the connection for messages of other processes is lost, so that caches are not used.",
    aggregator: "min",
    read: ofDependencies(({ database }) =>
      database === null || database.is_listening === null ? null : flag(database.is_listening),
    ),
  },
  {
    name: "database_clock_offset_seconds",
    help: "Absolute difference between the clocks of this machine and of PostgreSQL in seconds.",
    aggregator: "max",
    read: ofDependencies(({ database }) =>
      database === null || database.clock_offset_ms === null
        ? null
        : Math.abs(database.clock_offset_ms) / 1_000,
    ),
  },
  {
    name: "storage_fault",
    help: "1 while the stored data has this fault.",
    aggregator: "max",
    labels: ["kind"],
    read: ofDependencies(({ storage }) =>
      ["full", "damaged", "incomplete"].map((kind) => [kind, flag(storage?.kind === kind)]),
    ),
  },
  {
    name: "disk_free_bytes",
    help: "Free bytes on the disk of the data folder.",
    aggregator: "min",
    read: ofDependencies(({ disk_free_bytes }) => disk_free_bytes),
  },
  {
    name: "compute_waiting",
    help: "Number of computations that wait for a thread.",
    aggregator: "sum",
    read: ofDependencies(({ compute }) => compute.waiting),
  },
  {
    name: "compute_paused",
    help: "1 while computations run on the main thread, because threads failed repeatedly.",
    aggregator: "max",
    read: ofDependencies(({ compute }) => flag(compute.paused_s !== null)),
  },
  {
    name: "provider_up",
    help: "1 if the last calls of a data provider succeeded, for each provider called so far.",
    aggregator: "max",
    labels: ["provider"],
    read: ofDependencies(({ providers }) => providers.map(({ name, answering }) => [name, flag(answering)])),
  },
  {
    name: "audit_intact",
    help: "0 if the last check of the audit log found a fault.",
    aggregator: "min",
    read: (operation) => {
      const isIntact = operation.isAuditIntact();
      return isIntact === null ? null : flag(isIntact);
    },
  },
];

/** Registers the gauges of the dependencies, queues and leader of a server, which are read at each request of /metrics. */
export function registerOperationMetrics(registers: Registry[], operation: Operation): void {
  for (const { name, help, aggregator, labels = [], read } of GAUGES)
    new Gauge({
      name: `market_signal_${name}`,
      help,
      aggregator,
      registers,
      labelNames: labels,
      async collect() {
        const reading = await read(operation);
        this.reset();
        if (reading === null) this.remove();
        else if (typeof reading === "number") this.set(reading);
        else
          for (const values of reading)
            this.set(
              Object.fromEntries(labels.map((label, i) => [label, values[i]!])),
              values.at(-1) as number,
            );
      },
    });
}
