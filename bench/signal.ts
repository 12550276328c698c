import { cpus } from "node:os";
import { yearLessMonthReturn } from "../src/analytics/drivers/relative-strength.ts";
import { explain } from "../src/analytics/explain/explain.ts";
import { type ConsensusInput, consensus } from "../src/analytics/score/consensus.ts";
import { type Bars, sliceBars } from "../src/domain/bars.ts";
import { readDailyFolder } from "../test/support/daily-bars.ts";
import { syntheticBars } from "../test/support/synthetic-bars.ts";
import { testData } from "../test/support/test-data.ts";

const BARS = 500;
const MEMBERS = 58;
const PEERS = 6;
const WARM_UP = 500;
const CALLS = 3000;

/** Times one signal, and its explanation, on one core: 500 bars, a benchmark, 6 peers, a universe of 58. */
export function run(): void {
  const folder = testData("ohlcv", "us_daily");
  const members = folder === null ? synthetic() : realMembers(folder);
  const inputs = inputsOf(members);
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}`);
  console.log(`${inputs.length} ${folder === null ? "synthetic" : "real"} symbols, ${BARS} daily bars each`);
  report("consensus", inputs, consensus);
  const known = new Map(inputs.map((input) => [input, consensus(input)]));
  report("explain", inputs, (input) => explain(input, known.get(input)!));
}

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
  console.log(`${name.padEnd(10)} median ${at(0.5)}   p95 ${at(0.95)}   over ${CALLS} calls`);
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
