import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { sql } from "kysely";
import { readConfig } from "../../src/app/config.ts";
import { type Installation, openInstallation } from "../../src/app/installation.ts";
import { SetupError } from "../../src/lib/setup-error.ts";
import type { SqliteStore } from "../../src/store/open-store.ts";
import { collectingLog } from "../support/context.ts";
import { overwritePages } from "../support/damage.ts";
import { withMarketSignal } from "../support/market-signal-command.ts";
import { suiteDir } from "../support/temp-dir.ts";
import type { Proof } from "./proof.ts";

const COPIES = { quick: 20, full: 200 } as const;
const KEYS = 100;
const FLIPS = 8;

/** Opens a data folder as a server does when it starts. */
const open = (dataDir: string): Promise<Installation> =>
  openInstallation(readConfig({ DATA_DIR: dataDir }), { log: collectingLog().log });

/** Flips bytes in copies of a closed database, and overwrites pages of open ones. */
export const corruption: Proof = {
  name: "corruption",
  claim:
    "A database damaged while closed or open is refused at the next start, with the command that restores the newest backup",

  async run({ scale, seed }) {
    const { dir, remove } = suiteDir();
    const broken: string[] = [];
    try {
      const env = withMarketSignal(dir);
      const whole = join(dir, "whole");
      const installation = await open(whole);
      const keys: string[] = [];
      for (let i = 0; i < KEYS; i++) keys.push((await installation.access.create()).key);
      const { backUp, file } = installation.store as SqliteStore;
      backUp();
      await installation.close();
      const sound = readFileSync(file);

      const flip = fc.tuple(fc.nat({ max: sound.length - 1 }), fc.integer({ min: 1, max: 255 }));
      const damages = fc.sample(
        fc.uniqueArray(flip, { minLength: 1, maxLength: FLIPS, selector: ([at]) => at }),
        {
          numRuns: COPIES[scale],
          seed,
        },
      );
      let restored = 0;
      for (const [i, damage] of damages.entries()) {
        const copy = join(dir, `copy-${i}`);
        cpSync(whole, copy, { recursive: true });
        const damaged = Buffer.from(sound);
        for (const [at, bits] of damage) damaged[at] = damaged[at]! ^ bits;
        const target = join(copy, "market-signal.db");
        writeFileSync(target, damaged);
        const where = `bytes ${damage.map(([at]) => at).join(", ")}`;
        const refusal = await refusalOf(copy);
        const command = / run: (DATA_DIR='.*' market-signal restore --replace '.*?')/.exec(
          refusal ?? "",
        )?.[1];
        if (refusal === null) broken.push(`${where}: opened`);
        else if (command === undefined) broken.push(`${where}: refused without a command: ${refusal}`);
        else if (i % 10 === 0) {
          execFileSync("/bin/sh", ["-c", command], { env });
          const mended = await open(copy);
          for (const key of keys) await mended.access.identify(key);
          await mended.close();
          restored++;
        }
      }
      const openDamaged = await damageWhileOpen(whole, join(dir, "open"), COPIES[scale] / 4, seed, broken);
      const untouched = join(dir, "untouched");
      cpSync(whole, untouched, { recursive: true });
      copyFileSync(file, join(untouched, "market-signal.db"));
      const refused = await refusalOf(untouched);
      if (refused !== null) broken.push(`a copy without damage: ${refused}`);
      return {
        figure: `${damages.length - broken.filter((one) => one.startsWith("bytes")).length} of ${damages.length} copies with 1 to ${FLIPS} flipped bytes refused; ${restored} times the command was run and all ${KEYS} keys were restored; ${openDamaged} databases with two pages overwritten while open were reported, not sealed and refused at the next start`,
        broken,
      };
    } finally {
      remove();
    }
  },
};

/** Overwrites two pages of open databases, then checks and closes them; returns how many were damaged. */
async function damageWhileOpen(
  whole: string,
  folder: string,
  copies: number,
  seed: number,
  broken: string[],
): Promise<number> {
  for (let i = 0; i < copies; i++) {
    const copy = `${folder}-${i}`;
    cpSync(whole, copy, { recursive: true });
    const { store, close } = await open(copy);
    const roots = await sql<{ page: number }>`select rootpage as page from sqlite_master where rootpage > 1`
      .execute(store.db)
      .then(({ rows }) => rows.map(({ page }) => page - 1));
    const pages = fc.sample(fc.subarray(roots, { minLength: 2, maxLength: 2 }), {
      numRuns: 1,
      seed: seed + i,
    })[0]!;
    overwritePages(store.file!, pages);
    // half are found by the check, half at shutdown
    if (i % 2 === 0) await store.upkeep.run();
    const reported = store.health.fault()?.kind;
    await close();
    const refusal = await refusalOf(copy);
    const where = `open, pages ${pages.join(", ")}`;
    if (i % 2 === 0 && reported !== "damaged") broken.push(`${where}: not reported`);
    if (refusal === null) broken.push(`${where}: opened after an ordinary stop`);
    else if (!/ run: DATA_DIR='.*' market-signal restore /.test(refusal))
      broken.push(`${where}: refused without a command: ${refusal}`);
  }
  return copies;
}

/** Error with which the folder is rejected; null if it opens. */
async function refusalOf(dataDir: string): Promise<string | null> {
  try {
    await (await open(dataDir)).close();
    return null;
  } catch (cause) {
    return cause instanceof SetupError ? cause.message : `it crashed: ${cause}`;
  }
}
