import { inlineCompute } from "../support/context.ts";
import { longEngine } from "../support/long-run.ts";
import { LEASE_MS, openJobsStore, realClock } from "./jobs-store.ts";

// Does parts of a run over made-up stocks until it is killed; with an id, begins or resumes the run and ends with it.
const [database, size, id] = process.argv.slice(2);
const store = await openJobsStore(database!);
await store.replicas?.join();
const engine = longEngine({
  ...{ store, compute: inlineCompute(), size: Number(size), id: id ?? "none" },
  ...{ leaseClock: realClock, leaseMs: LEASE_MS },
});
process.stdout.write("ready\n");
if (id === undefined) engine.takeShards();
else {
  const { rows, failures } = await engine.run({ universe: { name: "all" }, resume: true });
  process.stdout.write(`finished ${rows.length} ${failures.length}\n`);
  await engine.close();
  await store.close();
}
