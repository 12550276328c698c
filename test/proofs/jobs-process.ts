import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { inlineCompute } from "../support/context.ts";
import { FIRST_MEMBER, longEngine } from "../support/long-run.ts";
import { LEASE_MS, openJobsStore, realClock } from "./jobs-store.ts";

// Does parts of a run over made-up stocks until it is told to end; with an id, begins or resumes the run and ends with it.
// The batch of the first stock is written only when the file exists, so that no run is finished before.
const [database, size, file, id] = process.argv.slice(2);
const store = await openJobsStore(database!);
await store.replicas?.join();
const engine = longEngine({
  ...{ store, compute: inlineCompute(), size: Number(size), id: id ?? "none" },
  ...{ leaseClock: realClock, leaseMs: LEASE_MS, writes },
});

if (id === undefined) {
  engine.takeShards();
  process.once("SIGTERM", end);
} else {
  const { rows, failures } = await engine.run({ universe: { name: "all" }, resume: true });
  process.stdout.write(`finished ${rows.length} ${failures.length}\n`);
  await end();
}

async function writes(symbols: readonly string[]): Promise<void> {
  if (!symbols.includes(FIRST_MEMBER) || existsSync(file!)) return;
  process.stdout.write("holds the last batch\n");
  while (!existsSync(file!)) await sleep(5);
}

async function end(): Promise<void> {
  await engine.close();
  await store.close();
}
