import { cpus } from "node:os";
import { convictionOf } from "../../src/analytics/conviction/conviction.ts";
import type { DriverValue } from "../../src/analytics/drivers/driver-value.ts";
import { yearLessMonthReturn } from "../../src/analytics/drivers/relative-strength.ts";
import { explain } from "../../src/analytics/explain/explain.ts";
import { type ConsensusInput, consensus } from "../../src/analytics/score/consensus.ts";
import { type Bars, sliceBars } from "../../src/domain/market/bars.ts";
import { structureOf } from "../../src/features/signal/structure.ts";
import { readDailyFolder } from "../support/daily-bars.ts";
import { printsWithin } from "../support/prints.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";
import { testData } from "../support/test-data.ts";
import { missedFlips } from "./signal/flips.ts";
import { timeSignalCall } from "./signal/tool-call.ts";

const BARS = 500;
const MEMBERS = 58;
const PEERS = 6;
const PRINTS = 200;
const WARM_UP = 500;
const CALLS = 3000;
const EXPLAIN_CALLS = 600;
const EXPLAIN_MS = 25;
/** Bars before the last one at which flips are checked. */
const OFFSETS = [0, 60, 140] as const;

/**
 * Times the parts of a signal on one core: 500 bars, 200 prints, a benchmark, 6 peers, a universe of 58. Then tests every
 * tick around three bars of each symbol for flips that `explain` missed, and times get_signal as a tool call on the
 * simulated market.
 */
export async function run(): Promise<void> {
  const folder = testData("ohlcv", "us_daily");
  const histories = folder === null ? synthetic() : realMembers(folder);
  const inputs = inputsAt(histories, 0);
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}`);
  console.log(`${inputs.length} ${folder === null ? "synthetic" : "real"} symbols, ${BARS} daily bars each`);
  report("consensus", inputs, consensus);
  const known = new Map(inputs.map((input) => [input, consensus(input)]));
  report("structure", inputs, ({ bars }) => structureOf(bars));
  const printed = new Map(
    inputs.map((input, i) => [input, { ...input, prints: printsWithin(input.bars, i + 1, PRINTS) }]),
  );
  const drivers = new Map(inputs.map((input) => [input, known.get(input)!.drivers]));
  report("conviction", inputs, (input) => convictionFrom(printed.get(input)!, drivers.get(input)!));
  report("structure and conviction", inputs, (input) => {
    structureOf(input.bars);
    convictionFrom(printed.get(input)!, drivers.get(input)!);
  });
  report("whole signal", inputs, (input) => [consensus(printed.get(input)!), structureOf(input.bars)]);
  const { cpu } = report("explain", inputs, (input) => explain(input, known.get(input)!), EXPLAIN_CALLS);
  console.log(`explain, target: CPU median under ${EXPLAIN_MS} ms`);
  if (!(cpu < EXPLAIN_MS)) process.exitCode = 1;
  missedFlips(OFFSETS.flatMap((back) => inputsAt(histories, back)));
  await timeSignalCall();
}

const convictionFrom = ({ bars, prints }: ConsensusInput, drivers: readonly DriverValue[]) =>
  convictionOf({ bars, prints: prints ?? null, drivers, source: "bench" });

/**
 * Prints median and 95th percentile of a call, and the median of its CPU time, which other load hardly affects; returns
 * the latter, ms.
 */
function report(
  name: string,
  inputs: readonly ConsensusInput[],
  call: (input: ConsensusInput) => unknown,
  calls = CALLS,
): { readonly cpu: number } {
  const once = (i: number) => call(inputs[i % inputs.length]!);
  for (let i = 0; i < Math.min(WARM_UP, calls); i++) once(i);
  const times = new Float64Array(calls);
  const cpu = new Float64Array(calls);
  for (let i = 0; i < calls; i++) {
    const used = process.cpuUsage();
    const start = performance.now();
    once(i);
    times[i] = performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    cpu[i] = (user + system) / 1000;
  }
  const at = (all: Float64Array, share: number) => all.toSorted()[Math.floor(share * calls)]!;
  const [median, p95, own] = [at(times, 0.5), at(times, 0.95), at(cpu, 0.5)].map(
    (ms) => `${ms.toFixed(3)} ms`,
  );
  console.log(`${name.padEnd(25)} median ${median}   p95 ${p95}   CPU ${own}   over ${calls} calls`);
  return { cpu: at(cpu, 0.5) };
}

/** SPY first: the others are compared with it. */
function realMembers(folder: string): Bars[] {
  const { SPY, ...others } = Object.fromEntries(readDailyFolder(folder));
  return [SPY!, ...Object.values(others)];
}

const synthetic = (): Bars[] =>
  Array.from({ length: MEMBERS }, (_, i) => syntheticBars(i + 1, BARS + Math.max(...OFFSETS)));

/** Returns the inputs as known `back` bars before the last one. */
function inputsAt(histories: readonly Bars[], back: number): ConsensusInput[] {
  const members = histories.map((bars) => {
    const end = bars.time.length - back;
    return sliceBars(bars, Math.max(0, end - BARS), end);
  });
  const own = members.map(({ close }) => yearLessMonthReturn(close, 252));
  const returns = own.filter((value) => value !== null);
  return members.slice(1).map((bars, i) => ({
    bars,
    assetClass: "equity",
    benchmark: members[0]!,
    isBenchmark: false,
    peers: Array.from({ length: PEERS }, (_, k) => members[(i + 2 + k) % members.length]!),
    universe: { returns, own: own[i + 1]!, hash: "bench" },
  }));
}
