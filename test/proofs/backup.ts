import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hashOf } from "../../src/access/keys/key-format.ts";
import { readConfig } from "../../src/app/config.ts";
import { openInstallation } from "../../src/app/installation.ts";
import { restoreBackup } from "../../src/app/restore-command.ts";
import type { KeyRecord } from "../../src/domain/accounts/keyring-port.ts";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { collectingLog } from "../support/context.ts";
import { launch, type Program } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";
import type { Line } from "./key-log.ts";
import type { Proof } from "./proof.ts";

const BACKUPS = { quick: 3, full: 100 } as const;
const WRITER = "test/proofs/key-writer.ts";
/** Acknowledged writes before the first backup, and between two backups. */
const MIN_WRITES = 20;
/** Time between two writes, so that a hundred backups stay small. */
const PAUSE_MS = 5;
/** Interval at which acknowledgements are counted. */
const POLL_MS = 20;
const MAX_PHANTOMS = 1;

type Done = Extract<Line, { readonly done: string }>;

/** Writes backups of a data folder while a server and a writer use it, and restores each in a new folder. */
export const backup: Proof = {
  name: "backup",
  claim:
    "A backup taken while others write has every write acknowledged before it, is the state of one moment, and can be restored",

  async run({ scale, report }) {
    const { dir, remove } = suiteDir();
    const env = { HOME: dir, DATA_DIR: join(dir, "data") };
    const built = await compile({ scripts: [WRITER] });
    const broken: string[] = [];
    const server = await serveOn(built.product, env);
    const writer = launch([...built.script(WRITER), JSON.stringify(env), String(PAUSE_MS)], {});
    const restored: {
      readonly name: string;
      readonly keys: readonly KeyRecord[];
      readonly atLeast: number;
    }[] = [];
    try {
      writer.child.stdin.write("go\n");
      for (let i = 1; i <= BACKUPS[scale]; i++) {
        writer.child.kill("SIGCONT");
        const from = acknowledged(writer).length;
        while (acknowledged(writer).length < from + MIN_WRITES && writer.child.exitCode === null)
          await sleep(POLL_MS);
        const atLeast = acknowledged(writer).length;
        const file = join(dir, `backup-${i}.db`);
        const run = launch([...built.product, "backup", "--out", file, "--json"], env);
        const code = await run.ended;
        writer.child.kill("SIGSTOP"); // the load is needed during the backup only
        if (code !== 0) {
          broken.push(`backup ${i} ended with ${code}: ${run.seen.err}`);
          continue;
        }
        const folder = join(dir, `restored-${i}`);
        try {
          restored.push({ name: `backup ${i}`, keys: await restoredKeys(file, folder), atLeast });
        } catch (cause) {
          broken.push(`backup ${i} is not restored: ${cause}`);
        }
        for (const path of [file, folder]) rmSync(path, { recursive: true, force: true });
        if (i % 10 === 0) report(`${i} backups, ${atLeast} acknowledged writes`);
      }
      const alive = await fetch(`${server.url}/livez`);
      if (alive.status !== 200) broken.push(`the server answers ${alive.status}`);
      const writes = acknowledged(writer);
      for (const one of restored) broken.push(...faultsOf(one, writes));
      const during = restored.reduce(
        (sum, { keys, atLeast }) => sum + newestOf(keys, writes) + 1 - atLeast,
        0,
      );
      return {
        figure: `${restored.length} of ${BACKUPS[scale]} backups restored with every acknowledged write (${writes.length} writes; ${during} of them were acknowledged during a backup and are in it)`,
        broken,
      };
    } finally {
      for (const { child } of [writer, server]) child.kill("SIGKILL");
      await Promise.all([writer.ended, server.ended]);
      built.remove();
      remove();
    }
  },
};

/** Returns the writes that the writer reported as done. */
function acknowledged({ seen }: Pick<Program, "seen">): readonly Done[] {
  const whole = seen.out.slice(0, seen.out.lastIndexOf("\n") + 1).trimEnd();
  if (whole === "") return [];
  return whole
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .filter((line): line is Done => "done" in line);
}

/** Restores a backup in a new folder, and returns the keys in it. */
async function restoredKeys(file: string, folder: string): Promise<readonly KeyRecord[]> {
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: "error" });
  const passphrase = () => Promise.reject(new Error("no passphrase"));
  await restoreBackup(config, { file, replace: false, dryRun: false, passphrase });
  const installation = await openInstallation(config, { log: collectingLog().log });
  try {
    return await openKeyring(installation.store.db).keys(null);
  } finally {
    await installation.close();
  }
}

/** Returns whether a write is visible in the keys. */
function isVisible(write: Done, keys: ReadonlyMap<string, KeyRecord>): boolean {
  const row = keys.get(write.id);
  if (row === undefined) return false;
  if (write.done === "create") return row.hash === hashOf(write.key);
  if (write.done === "revoke") return row.revoked_at !== null;
  return row.replaced_by === write.next && keys.get(write.next)?.hash === hashOf(write.key);
}

/** Returns the index of the newest visible write; -1 without one. */
function newestOf(keys: readonly KeyRecord[], writes: readonly Done[]): number {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return writes.findLastIndex((write) => isVisible(write, byId));
}

/** Returns acknowledged writes that are missing, writes that are missing before a newer one, and unknown keys. */
function faultsOf(
  {
    name,
    keys,
    atLeast,
  }: { readonly name: string; readonly keys: readonly KeyRecord[]; readonly atLeast: number },
  writes: readonly Done[],
): readonly string[] {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const upTo = Math.max(atLeast, newestOf(keys, writes) + 1);
  const missing = writes.slice(0, upTo).filter((write) => !isVisible(write, byId));
  const known = new Set(
    writes.flatMap((write) => (write.done === "rotate" ? [write.id, write.next] : [write.id])),
  );
  const owner = keys.filter(({ account }) => account === "owner").map(({ id }) => id);
  const unknown = keys.filter(({ id }) => !known.has(id) && !owner.includes(id));
  return [
    ...missing.map((write) => `${name}: the ${write.done} of ${write.id} is lost`),
    // the last write before the end may not have been reported
    ...(unknown.length > MAX_PHANTOMS ? [`${name}: ${unknown.length} keys that no writer created`] : []),
  ];
}
