import { compile } from "../support/compiled.ts";
import { createDatabase, POSTGRES_URL } from "../support/postgres.ts";
import { launch } from "../support/program.ts";

const WORKER = "test/bench/locks-worker.ts";
const PROCESSES = 4;
const ROUND_MS = 4_000;
const ROUNDS = 3;
const TARGET = 1.5;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** Idempotent calls of many accounts with the lock of an account against one lock for all: `.ci/postgres npm run bench -- locks`. */
export async function run(): Promise<void> {
  if (POSTGRES_URL === null)
    throw new Error("TEST_DATABASE_URL is missing: .ci/postgres npm run bench -- locks");
  const database = await createDatabase(POSTGRES_URL);
  const built = await compile({ scripts: [WORKER] });
  const programs = Array.from({ length: PROCESSES }, (_, n) =>
    launch([...built.script(WORKER), database, `${n}`, `${ROUND_MS}`], {}),
  );
  const found: Record<"one" | "account", number[]> = { one: [], account: [] };
  try {
    await Promise.all(programs.map(({ says }) => says(/ready/)));
    for (let round = 1; round <= ROUNDS * 2; round++) {
      const lock = round % 2 === 1 ? "one" : "account";
      for (const { child } of programs) child.stdin.write(`${lock}\n`);
      const after = new RegExp(`(?:pairs (\\d+)\\s+){${round}}`);
      const counts = await Promise.all(programs.map(async ({ says }) => Number((await says(after))[1])));
      found[lock].push(counts.reduce((sum, pairs) => sum + pairs, 0) / (ROUND_MS / 1_000));
    }
  } finally {
    for (const { child } of programs) child.kill("SIGKILL");
    built.remove();
  }
  const [one, account] = [median(found.one), median(found.account)];
  console.log(
    `pairs of begin and complete a second, ${PROCESSES} processes, ${PROCESSES * 8} accounts, medians of ${ROUNDS}:`,
  );
  console.log(`  one lock          ${one.toFixed(0)}  (${found.one.map((n) => n.toFixed(0)).join(", ")})`);
  console.log(
    `  lock of an account ${account.toFixed(0)}  (${found.account.map((n) => n.toFixed(0)).join(", ")})`,
  );
  console.log(`  ${(account / one).toFixed(2)} times, target ${TARGET}`);
}
