import { createInterface } from "node:readline";
import { type KyselyPlugin, RawNode } from "kysely";
import { idempotency } from "../../src/store/accounts/idempotency.ts";
import { isLock, STORE_LOCK } from "../../src/store/postgres/locks.ts";
import { MARKET, openRaceStore } from "../proofs/race-store.ts";
import { testHash } from "../support/keyed-hash.ts";

/** Callers of one process at once, each of another account. */
const CALLERS = 8;

/** Takes the lock of the whole store in place of any other. */
const oneLock: KyselyPlugin = {
  transformQuery: ({ node }) =>
    RawNode.is(node) && isLock(node.sqlFragments[0] ?? "") ? RawNode.createWithSql(STORE_LOCK) : node,
  transformResult: async ({ result }) => result,
};

/** Counts the idempotent calls that are begun and completed within a time, by lines with `account` or `one`. */
const [database, number, ms] = process.argv.slice(2) as [string, string, string];
const { store, db, ids } = await openRaceStore(database, `p${number}`);
const clock = { now: () => new Date() };
let turn = 0;

async function pairsWith(lock: string): Promise<number> {
  const of = lock === "one" ? db.withPlugin(oneLock) : db;
  const { begin } = idempotency({ db: of, market: MARKET, clock, ids, keyedHash: testHash(1) });
  const until = performance.now() + Number(ms);
  let pairs = 0;
  turn++;
  const caller = async (n: number): Promise<void> => {
    for (let made = 0; performance.now() < until; made++, pairs++) {
      const account = `caller ${number} ${n}`;
      const run = await begin({
        account,
        key: `${turn} ${made}`,
        route: "POST /x",
        input: {},
        deadlineMs: 30_000,
      });
      if (run.state === "begun") await run.complete({ status: 200, headers: {}, body: "{}" });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
  return pairs;
}

process.stdout.write("ready\n");
for await (const lock of createInterface(process.stdin))
  process.stdout.write(`pairs ${await pairsWith(lock)}\n`);
await store.close();
process.exit(0);
