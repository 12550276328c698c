import { cpus } from "node:os";
import { ranksThrough } from "../../src/analytics/score/ranks-through.ts";
import { signalTape } from "../../src/analytics/score/tape.ts";
import type { SignalTape } from "../../src/analytics/score/tape-columns.ts";
import type { Bars } from "../../src/domain/market/bars.ts";
import { readDailyFolder } from "../support/daily-bars.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";
import { testData } from "../support/test-data.ts";

const SYMBOLS = 58;
const BARS = 1_357;
const PEERS = 6;
const TARGET_SECONDS = 10;

/** Times the signal at every bar of 58 symbols over 1,357 days, including ranks, on one core. */
export function run(): void {
  const { members, what } = marketOf();
  const bars = members.reduce((sum, [, { time }]) => sum + time.length, 0);
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}`);
  console.log(what);
  for (const round of ["cold", "warm"]) {
    const before = process.cpuUsage();
    const started = performance.now();
    tapesOf(members);
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(before);
    console.log(
      `${round}  ${bars} bars  ${seconds.toFixed(2)} s  ${((1000 * seconds) / bars).toFixed(4)} ms a bar  ${((user + system) / 1e6).toFixed(2)} s of CPU time`,
    );
    if (seconds > TARGET_SECONDS) process.exitCode = 1;
  }
  console.log(`target: under ${TARGET_SECONDS} s`);
}

type Members = readonly (readonly [symbol: string, bars: Bars])[];

/** 58 symbols of 1,357 days: real ones from the test data, supplemented by synthetic ones. */
export function marketOf(): { readonly members: Members; readonly what: string } {
  const folder = testData("ohlcv", "us_daily");
  const found = folder === null ? [] : [...readDailyFolder(folder)];
  const added = Array.from({ length: SYMBOLS - found.length }, (_, i) => `MADE${i + 1}`);
  return {
    members: [...found, ...added.map((symbol, i) => [symbol, syntheticBars(i + 1, BARS)] as const)],
    what: `${found.length} real and ${added.length} synthetic symbols`,
  };
}

/** Computes the signal at every bar of every symbol, ranked among all. */
export function tapesOf(members: Members): ReadonlyMap<string, SignalTape> {
  const benchmark = members.find(([symbol]) => symbol === "SPY")?.[1] ?? members[0]![1];
  const ranks = ranksThrough(members, 252);
  return new Map(
    members.map(([symbol, bars], i) => [
      symbol,
      signalTape({
        bars,
        assetClass: "equity",
        benchmark,
        isBenchmark: bars === benchmark,
        peers: Array.from({ length: PEERS }, (_, k) => members[(i + 1 + k) % members.length]![1]),
        universeAt: ranks(symbol),
      }),
    ]),
  );
}
