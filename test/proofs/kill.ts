import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { ownerPrincipal } from "../../src/access/callers.ts";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import { openStore } from "../../src/store/open-store.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { launch } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { keyLog, type Line } from "./key-log.ts";
import type { Proof } from "./proof.ts";

const KILLS = { quick: 8, full: 200 } as const;
/** One in this many kills also kills a server on the same folder. */
const SERVER_EVERY = 50;
const clock = { now: () => new Date() };
const WRITER = "test/proofs/key-writer.ts";

/** Repeatedly kills processes while they write keys on one data folder. */
export const kill: Proof = {
  name: "kill",
  claim: "Nothing acknowledged is lost to kill -9, and an unacknowledged write is either complete or absent",

  async run({ scale, seed, report }) {
    const { dir, remove } = suiteDir();
    const dataDir = join(dir, "data");
    const built = await compile({ scripts: [WRITER] });
    const writer = () => launch([...built.script(WRITER), dataDir], {});
    const log = keyLog();
    const broken: string[] = [];
    /** Number of acknowledgements before the kill, and a further delay in milliseconds. */
    const moments = fc.sample(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 12 })), {
      numRuns: KILLS[scale],
      seed,
    });
    const died: Record<string, number> = {};
    let servers = 0;
    let next = writer();
    try {
      for (const [i, [acknowledgements, ms]] of moments.entries()) {
        const one = next;
        next = writer(); // starts while the current one runs
        const withServer = i % SERVER_EVERY === 10;
        const server = withServer ? await serveOn(built.product, { DATA_DIR: dataDir, HOME: dir }) : null;
        one.child.stdin.write("go\n");
        while (one.seen.out.split('"done"').length <= acknowledgements && one.child.exitCode === null)
          await sleep(1);
        await sleep(ms);
        one.child.kill("SIGKILL");
        server?.child.kill("SIGKILL");
        if (server !== null) servers++;
        await server?.ended;
        if ((await one.ended) !== "SIGKILL") broken.push(`the writer ended by itself: ${one.seen.err}`);

        const whole = one.seen.out.slice(0, one.seen.out.lastIndexOf("\n") + 1).trimEnd();
        const unanswered = log.take(
          whole === "" ? [] : whole.split("\n").map((line) => JSON.parse(line) as Line),
        );
        const where = unanswered !== undefined && "begin" in unanswered ? unanswered.begin : "no write";
        died[where] = (died[where] ?? 0) + 1;
        const store = await openStore({ dataDir, clock });
        const keyring = openKeyring(store.db);
        const rows = await keyring.keys(null);
        broken.push(...log.faults(rows, unanswered).map((fault) => `kill ${i + 1} in ${where}: ${fault}`));
        for (const { hash } of rows.slice(0, 5))
          if ((await keyring.findByHash(hash)) === null) broken.push(`kill ${i + 1}: a key has no account`);
        // Every server creates the owner's account, with or without a key.
        const holders = new Set([ownerPrincipal().account, ...rows.map(({ account }) => account)]);
        const accounts = await store.db.selectFrom("accounts").select("id").execute();
        const empty = accounts.filter(({ id }) => !holders.has(id)).length;
        if (empty > 0)
          broken.push(`kill ${i + 1} in ${where}: ${empty} accounts without the key they were opened for`);
        await store.close();
        if ((i + 1) % 20 === 0) report(`${i + 1} kills, ${log.acknowledged()} acknowledged writes`);
      }
      const moment = Object.entries(died).map(([where, times]) => `${times} in ${where}`);
      return {
        figure: `${moments.length} kills (${moment.join(", ")}; ${servers} of them of a server too), ${log.acknowledged()} acknowledged writes: ${broken.length} lost, doubled or incomplete`,
        broken,
      };
    } finally {
      next.child.kill("SIGKILL");
      await next.ended;
      built.remove();
      remove();
    }
  },
};
