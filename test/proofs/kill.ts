import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { ownerPrincipal } from "../../src/access/callers.ts";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import type { Store } from "../../src/store/store.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { launch, type Program } from "../support/program.ts";
import { auditAt } from "./audit-at.ts";
import { keyLog, type Line } from "./key-log.ts";
import { ENGINE, openPlace, type Place, SERVERS } from "./place.ts";
import type { Proof } from "./proof.ts";
import { openStoreAt } from "./store-at.ts";

const KILLS = { quick: 8, full: 200 } as const;
/** One in this many kills also kills a server on the same folder. */
const SERVER_EVERY = 50;
const WRITER = "test/proofs/key-writer.ts";

/** Repeatedly kills processes while they write keys and audit entries: one on a data folder, two at once on PostgreSQL. */
export const kill: Proof = {
  name: "kill",
  claim:
    "Nothing acknowledged is lost to kill -9, an unacknowledged write is either complete or absent, and the audit log stays intact",

  async run({ scale, seed, report }) {
    const place = await openPlace();
    const built = await compile({ scripts: [WRITER] });
    const writers = () =>
      Array.from({ length: SERVERS }, (_, n) =>
        launch([...built.script(WRITER), JSON.stringify(place.env(n))], {}),
      );
    const log = keyLog();
    const broken: string[] = [];
    /** Number of acknowledgements before the kill, and a further delay in milliseconds. */
    const moments = fc.sample(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 12 })), {
      numRuns: KILLS[scale],
      seed,
    });
    const died: Record<string, number> = {};
    let servers = 0;
    let entries = 0;
    let next = writers();
    try {
      for (const [i, [acknowledgements, ms]] of moments.entries()) {
        const running = next;
        next = writers(); // start while the current ones run
        const withServer = i % SERVER_EVERY === 10;
        const server = withServer ? await serveOn(built.product, place.env()) : null;
        for (const { child } of running) child.stdin.write("go\n");
        const [one] = running as [Program];
        while (one.seen.out.split('"done"').length <= acknowledgements && one.child.exitCode === null)
          await sleep(1);
        await sleep(ms);
        for (const { child } of running) child.kill("SIGKILL");
        server?.child.kill("SIGKILL");
        if (server !== null) servers++;
        await server?.ended;
        const unanswered: Line[] = [];
        for (const writer of running) {
          if ((await writer.ended) !== "SIGKILL")
            broken.push(`the writer ended by itself: ${writer.seen.err}`);
          const line = log.take(linesOf(writer));
          if (line !== undefined) unanswered.push(line);
          const where = line !== undefined && "begin" in line ? line.begin : "no write";
          died[where] = (died[where] ?? 0) + 1;
        }
        const where = unanswered.map((line) => ("begin" in line ? line.begin : "")).join(" and ");
        const store = await openStoreAt(place.env());
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
        const faults = await auditFaults(store, place, log.created());
        broken.push(...faults.broken.map((fault) => `kill ${i + 1} in ${where}: ${fault}`));
        entries = faults.entries;
        await store.close();
        if ((i + 1) % 20 === 0) report(`${i + 1} kills, ${log.acknowledged()} acknowledged writes`);
      }
      const moment = Object.entries(died).map(([where, times]) => `${times} in ${where}`);
      return {
        figure: `${ENGINE}: ${moments.length} kills of ${SERVERS} writers (${moment.join(", ")}; ${servers} of them of a server too), ${log.acknowledged()} acknowledged writes, ${entries} audit entries: ${broken.length} lost, doubled or incomplete`,
        broken,
      };
    } finally {
      for (const { child, ended } of next) {
        child.kill("SIGKILL");
        await ended;
      }
      built.remove();
      place.remove();
    }
  },
};

/** The complete lines that a writer printed. */
function linesOf({ seen }: Program): readonly Line[] {
  const whole = seen.out.slice(0, seen.out.lastIndexOf("\n") + 1).trimEnd();
  return whole === "" ? [] : whole.split("\n").map((line) => JSON.parse(line) as Line);
}

/** Verifies the audit log with the last entry of each server; each acknowledged creation must have one entry. */
async function auditFaults(store: Store, place: Place, created: readonly string[]) {
  const broken: string[] = [];
  for (let n = 0; n < SERVERS; n++) {
    const { faults } = await auditAt(store, place.env(n)).verify();
    broken.push(...faults.map(({ seq, detail }) => `audit entry ${seq}, read by server ${n}: ${detail}`));
  }
  const entries = await auditAt(store, place.env()).entries();
  const times = new Map<unknown, number>();
  for (const { about } of entries) {
    const { key_id } = JSON.parse(about) as { readonly key_id: string };
    times.set(key_id, (times.get(key_id) ?? 0) + 1);
  }
  for (const id of created)
    if (times.get(id) !== 1) broken.push(`the creation of ${id} has ${times.get(id) ?? 0} audit entries`);
  return { broken, entries: entries.length };
}
