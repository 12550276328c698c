import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { barLabel } from "../../../src/domain/market/bars.ts";
import { type Installation, install } from "../../support/installation.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { suiteDir } from "../../support/temp-dir.ts";
import { type CallCost, measureStatements, measureTimes, newCallers } from "./calls.ts";
import { openDatabaseTime } from "./processor-time.ts";
import { countStatements, type Sent, type StatementCounter } from "./statements.ts";
import { tableSizes } from "./table-sizes.ts";

const SYMBOLS = 256;
const BARS = 600;
const WARM_UP = 20;
const FIRST_SIGNALS = 50;
const CALLED_SYMBOLS = 10;
const letter = (n: number): string => String.fromCharCode(65 + (n % 26));
const symbolOf = (n: number): string => `Z${letter(n / 676)}${letter(n / 26)}${letter(n)}`;
const COLUMNS = ["open", "high", "low", "close", "volume"] as const;

/** Costs of a nightly run for one symbol: processor time of the process and of PostgreSQL, ms, and what it sent. */
export interface NightCost extends Sent {
  readonly serverMs: number;
  readonly databaseMs: number;
  /** Processor time of a signal that was not computed before, ms. */
  readonly firstSignalMs: number;
  /** Rows that the run added, by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/**
 * Measures a nightly run over files of synthetic bars, from reading them to the logged signals, without threads, and then
 * the calls of many callers on its results.
 */
export async function measureNightAndCalls(): Promise<{
  readonly night: NightCost;
  readonly calls: Readonly<Record<string, CallCost>>;
}> {
  const { dir, remove } = suiteDir();
  const counted = countStatements();
  const site = await install(dir, `files:${barFiles(dir)}`, { COMPUTE_THREADS: "0" });
  try {
    const night = await nightCost(site, counted);
    const symbols = Array.from({ length: CALLED_SYMBOLS }, (_, n) => symbolOf(n));
    const callers = await newCallers(site, symbols);
    const statements = await measureStatements(site, callers, counted);
    await site.stop();
    const times = await measureTimes(site.env, callers);
    const calls = [...statements].map(([name, sent]) => [name, { ...times.get(name)!, ...sent }] as const);
    return { night, calls: Object.fromEntries(calls) };
  } finally {
    counted.end();
    remove();
  }
}

async function nightCost(site: Installation, counted: StatementCounter): Promise<NightCost> {
  const url = site.env.DATABASE_URL!;
  const time = await openDatabaseTime(url);
  try {
    const before = { server: process.cpuUsage(), database: await time.read() };
    counted.take();
    const { rows } = await site.app.engine.run({ universe: { name: "all" } });
    const { user, system } = process.cpuUsage(before.server);
    const databaseMs = (await time.read()) - before.database;
    const count = rows.length;
    if (count < SYMBOLS) throw new Error(`${count} of ${SYMBOLS} symbols have a result`);
    const sent = counted.take(count);
    const sizes = await tableSizes(url);
    return {
      ...sent,
      serverMs: (user + system) / 1_000 / count,
      databaseMs: databaseMs / count,
      firstSignalMs: await firstSignals(site),
      rows: Object.fromEntries([...sizes].map(([name, { rows: added }]) => [name, added / count])),
    };
  } finally {
    await time.close();
  }
}

/** Returns the processor time of a signal that this process has not computed, ms. */
async function firstSignals({ site, url, key }: Installation): Promise<number> {
  const caller = await key("enterprise");
  const get = async (n: number) => {
    const headers = { authorization: `Bearer ${caller.key}`, host: "127.0.0.1" };
    const response = await site.fetch(new Request(`${url}/api/v1/signals/${symbolOf(n)}`, { headers }));
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  };
  for (let n = 0; n < WARM_UP; n++) await get(n);
  const before = process.cpuUsage();
  for (let n = WARM_UP; n < WARM_UP + FIRST_SIGNALS; n++) await get(n);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / FIRST_SIGNALS;
}

/** Writes the files of a folder of bars; returns its path. */
function barFiles(dir: string): string {
  const folder = join(dir, "bars");
  mkdirSync(folder);
  for (let n = 0; n < SYMBOLS; n++) {
    const bars = syntheticBars(n + 1, BARS);
    const lines = Array.from(bars.time, (time, i) =>
      [barLabel(time, "1d"), ...COLUMNS.map((name) => bars[name][i])].join(","),
    );
    writeFileSync(
      join(folder, `${symbolOf(n)}.csv`),
      `datetime,open,high,low,close,volume\n${lines.join("\n")}\n`,
    );
  }
  return folder;
}
