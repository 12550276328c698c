import { cpus } from "node:os";
import { convictionOf } from "../src/analytics/conviction/conviction.ts";
import type { DriverReading } from "../src/analytics/drivers/reading.ts";
import { yearLessMonthReturn } from "../src/analytics/drivers/relative-strength.ts";
import { explain } from "../src/analytics/explain/explain.ts";
import { type ConsensusInput, consensus } from "../src/analytics/score/consensus.ts";
import { type Bars, sliceBars } from "../src/domain/bars.ts";
import { structureOf } from "../src/signals/structure.ts";
import { readDailyFolder } from "../test/support/daily-bars.ts";
import { printsWithin } from "../test/support/prints.ts";
import { syntheticBars } from "../test/support/synthetic-bars.ts";
import { testData } from "../test/support/test-data.ts";
import { toldSignal } from "./signal/told.ts";

const BARS = 500;
const MEMBERS = 58;
const PEERS = 6;
const PRINTS = 200;
const WARM_UP = 500;
const CALLS = 3000;

/**
 * Times one signal, its structure, its conviction and its explanation, on one core: 500 bars, 200 prints, a benchmark, 6 peers,
 * a universe of 58; and then get_signal as its tool answers on the simulated market.
 */
export async function run(): Promise<void> {
  const folder = testData("ohlcv", "us_daily");
  const members = folder === null ? synthetic() : realMembers(folder);
  const inputs = inputsOf(members);
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}`);
  console.log(`${inputs.length} ${folder === null ? "synthetic" : "real"} symbols, ${BARS} daily bars each`);
  report("consensus", inputs, consensus);
  const known = new Map(inputs.map((input) => [input, consensus(input)]));
  report("structure", inputs, ({ bars }) => structureOf(bars));
  const printed = new Map(
    inputs.map((input, i) => [input, { ...input, prints: printsWithin(input.bars, i + 1, PRINTS) }]),
  );
  const drivers = new Map(inputs.map((input) => [input, known.get(input)!.drivers]));
  report(`conviction`, inputs, (input) => convictionFrom(printed.get(input)!, drivers.get(input)!));
  report("structure and conviction", inputs, (input) => {
    structureOf(input.bars);
    convictionFrom(printed.get(input)!, drivers.get(input)!);
  });
  report("whole signal", inputs, (input) => [consensus(printed.get(input)!), structureOf(input.bars)]);
  report("explain", inputs, (input) => explain(input, known.get(input)!));
  await toldSignal();
}

const convictionFrom = ({ bars, prints }: ConsensusInput, drivers: readonly DriverReading[]) =>
  convictionOf({ bars, prints: prints ?? null, drivers, source: "bench" });

function report(name: string, inputs: readonly ConsensusInput[], call: (input: ConsensusInput) => unknown) {
  const once = (i: number) => call(inputs[i % inputs.length]!);
  for (let i = 0; i < WARM_UP; i++) once(i);
  const times = new Float64Array(CALLS);
  for (let i = 0; i < CALLS; i++) {
    const start = performance.now();
    once(i);
    times[i] = performance.now() - start;
  }
  times.sort();
  const at = (share: number) => `${times[Math.floor(share * CALLS)]!.toFixed(3)} ms`;
  console.log(`${name.padEnd(25)} median ${at(0.5)}   p95 ${at(0.95)}   over ${CALLS} calls`);
}

/** SPY first: the others are compared with it. */
function realMembers(folder: string): Bars[] {
  const { SPY, ...others } = Object.fromEntries(readDailyFolder(folder));
  return [SPY!, ...Object.values(others)].map(lastBars);
}

const lastBars = (bars: Bars): Bars => sliceBars(bars, Math.max(0, bars.time.length - BARS));
const synthetic = (): Bars[] => Array.from({ length: MEMBERS }, (_, i) => syntheticBars(i + 1, BARS));

function inputsOf(members: readonly Bars[]): ConsensusInput[] {
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
