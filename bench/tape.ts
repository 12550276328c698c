import { cpus } from "node:os";
import { ranksThrough } from "../src/analytics/score/ranks-through.ts";
import { signalTape } from "../src/analytics/score/tape.ts";
import type { Bars } from "../src/domain/bars.ts";
import { readDailyFolder } from "../test/support/daily-bars.ts";
import { syntheticBars } from "../test/support/synthetic-bars.ts";
import { testData } from "../test/support/test-data.ts";

const SYMBOLS = 58;
const BARS = 1_357;
const PEERS = 6;
const SECONDS = 10;

/** Times the signal at every bar of 58 symbols over 1,357 days, ranks included, on one core. */
export function run(): void {
  const folder = testData("ohlcv", "us_daily");
  const found = folder === null ? [] : [...readDailyFolder(folder)];
  const made = Array.from({ length: SYMBOLS - found.length }, (_, i) => `MADE${i + 1}`);
  const members: (readonly [string, Bars])[] = [
    ...found,
    ...made.map((symbol, i) => [symbol, syntheticBars(i + 1, BARS)] as const),
  ];
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}`);
  console.log(`${found.length} real and ${made.length} synthetic symbols`);
  for (const round of ["cold", "warm"]) {
    const before = process.cpuUsage();
    const started = performance.now();
    const bars = tapesOf(members);
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(before);
    console.log(
      `${round}  ${bars} bars  ${seconds.toFixed(2)} s  ${((1000 * seconds) / bars).toFixed(4)} ms a bar  ${((user + system) / 1e6).toFixed(2)} s of processor`,
    );
    if (seconds > SECONDS) process.exitCode = 1;
  }
  console.log(`to reach: under ${SECONDS} s`);
}

function tapesOf(members: readonly (readonly [string, Bars])[]): number {
  const benchmark = members.find(([symbol]) => symbol === "SPY")?.[1] ?? members[0]![1];
  const ranks = ranksThrough(members, 252);
  let count = 0;
  for (const [i, [symbol, bars]] of members.entries()) {
    signalTape({
      bars,
      assetClass: "equity",
      benchmark,
      isBenchmark: bars === benchmark,
      peers: Array.from({ length: PEERS }, (_, k) => members[(i + 1 + k) % members.length]![1]),
      universeAt: ranks(symbol),
    });
    count += bars.time.length;
  }
  return count;
}
