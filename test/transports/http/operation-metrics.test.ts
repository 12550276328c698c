import { expect, it } from "vitest";
import type { Dependencies, Operation } from "../../../src/domain/operation-port.ts";
import { createMetrics } from "../../../src/transports/http/metrics.ts";
import { connectedPeers } from "../../support/peers.ts";

const HEALTHY: Dependencies = {
  storage: null,
  database: {
    clock_offset_ms: -250,
    connections: { open: 3, idle: 2, waiting: 0 },
    is_listening: true,
  },
  disk_free_bytes: 5_000_000,
  compute: { paused_s: null, refused_for_memory: 0, waiting: 2 },
  providers: [
    { name: "one", answering: true },
    { name: "two", answering: false },
  ],
};

const operation = (changed: Partial<Dependencies> = {}, more: Partial<Operation> = {}): Operation => ({
  dependencies: async () => ({ ...HEALTHY, ...changed }),
  queues: async () => [
    { queue: "deliveries", due: 4, oldest_ms: 1_500 },
    { queue: "agents", due: 0, oldest_ms: 0 },
  ],
  jobs: async () => [
    { kind: "nightly_shard", state: "dead", count: 2 },
    { kind: "nightly_shard", state: "done", count: 7 },
  ],
  isLeader: () => true,
  isAuditIntact: () => null,
  ...more,
});

const OPERATION =
  /^market_signal_(leader|queue_|jobs|database_|storage_|disk_|compute_|provider_|audit_)\S* \S+$/gm;
const linesOf = async ({
  read,
}: {
  read(): Promise<{ readonly text: string }>;
}): Promise<readonly string[]> =>
  (await read()).text.match(OPERATION)?.map((line) => line.slice("market_signal_".length)) ?? [];

it("shows what the operator watches", async () => {
  const metrics = createMetrics({ operation: operation() });
  const expected = [
    "leader 1",
    'queue_due{queue="deliveries"} 4',
    'queue_due{queue="agents"} 0',
    'queue_oldest_seconds{queue="deliveries"} 1.5',
    'queue_oldest_seconds{queue="agents"} 0',
    'jobs{kind="nightly_shard",state="dead"} 2',
    'jobs{kind="nightly_shard",state="done"} 7',
    "database_up 1",
    'database_connections{state="open"} 3',
    'database_connections{state="idle"} 2',
    'database_connections{state="waiting"} 0',
    "database_listener_up 1",
    "database_clock_offset_seconds 0.25",
    'storage_fault{kind="full"} 0',
    'storage_fault{kind="damaged"} 0',
    'storage_fault{kind="incomplete"} 0',
    "disk_free_bytes 5000000",
    "compute_waiting 2",
    "compute_paused 0",
    'provider_up{provider="one"} 1',
    'provider_up{provider="two"} 0',
  ];
  expect(await linesOf(metrics)).toEqual(expected);
  expect(await linesOf(metrics)).toEqual(expected);
});

it("omits what is unknown: all of a database that does not answer but that it is down", async () => {
  const lines = await linesOf(
    createMetrics({
      operation: operation(
        { database: null, disk_free_bytes: null, storage: { kind: "full", since: "" }, providers: [] },
        { queues: async () => [], jobs: async () => [], isAuditIntact: () => false },
      ),
    }),
  );
  expect(lines).toEqual([
    "leader 1",
    "database_up 0",
    'storage_fault{kind="full"} 1',
    'storage_fault{kind="damaged"} 0',
    'storage_fault{kind="incomplete"} 0',
    "compute_waiting 2",
    "compute_paused 0",
    "audit_intact 0",
  ]);
});

it("shows for all processes of a server how many lead, the worst state, and the sum of connections", async () => {
  const [first, second] = connectedPeers(2);
  createMetrics({
    peers: second,
    operation: operation({ database: null, disk_free_bytes: 7 }, { isLeader: () => false }),
  });
  const lines = await linesOf(createMetrics({ peers: first, operation: operation() }));
  expect(lines).toEqual(
    expect.arrayContaining([
      "leader 1",
      "database_up 0",
      'queue_due{queue="deliveries"} 4',
      "disk_free_bytes 7",
      "compute_waiting 4",
    ]),
  );
});
