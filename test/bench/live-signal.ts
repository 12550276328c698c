import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Timeframe } from "../../src/domain/market/bars.ts";
import { type Installation, install } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { type Replayed, replayed } from "./live/replayed.ts";

const TARGET_MS = 2_500;
const DAILY =
  "ADBE MS SLB TGT GILD DE NUE AEP SPG CMCSA CL QQQ IWM GLD XLK TLT BTC-USD ETH-USD SOL-USD XRP-USD";
const FOUR_HOURS =
  "QCOM AXP OXY KMB CVS MMM DOW EXC PSA EA NKE SPY DIA XLF SLV EEM LTC-USD ADA-USD DOGE-USD AVAX-USD";
const FRESH = "AAPL JPM XOM NEE QQQ SPY BTC-USD SOL-USD|MSFT UNH CAT XLF IWM ETH-USD XRP-USD";
/** Maximum calls to one provider per signal, so that it never waits for the rate limit. */
const MAX_CALLS = 12;

const WARM_UP = [
  ["NVDA", "1d"],
  ["NVDA", "4h"],
  ["LINK-USD", "4h"],
] as const;

type Wanted = readonly [symbol: string, timeframe: Timeframe];
interface Took {
  readonly wanted: Wanted;
  readonly ms: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly refused: string | null;
}

/**
 * Times get_signal over REST for uncached symbols, with realistic provider delays: sequentially in one installation, then
 * each in a new installation.
 */
export async function run(): Promise<void> {
  const { dir, remove } = suiteDir();
  const vendors = await replayed("realistic");
  try {
    console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}`);
    console.log("Replayed providers, each with its measured delay; no provider that requires a key");
    await warmUp(dir, vendors);
    const one = await open(dir, "one", vendors);
    const { key } = await one.key("enterprise");
    const shared: Took[] = [];
    let waited = 0;
    const daily = wantedOf(DAILY, "1d");
    const fourHourly = wantedOf(FOUR_HOURS, "4h");
    for (const wanted of daily.flatMap((one, i) => [one, fourHourly[i]!])) {
      waited += await waitForRateLimits(one, vendors);
      shared.push(await timedRequest(one, key, vendors, wanted));
    }
    await one.stop();
    printTimes("one installation, every symbol uncached", shared);
    console.log(
      `  (sequential requests; waited ${Math.round(waited / 1000)} s in total for rate limits of providers)`,
    );
    const fresh: Took[] = [];
    const [days = "", hours = ""] = FRESH.split("|");
    for (const [i, wanted] of [...wantedOf(days, "1d"), ...wantedOf(hours, "4h")].entries()) {
      const installation = await open(dir, `fresh-${i}`, vendors);
      const caller = await installation.key("enterprise");
      fresh.push(await timedRequest(installation, caller.key, vendors, wanted));
      await installation.stop();
    }
    printTimes("a new installation for each symbol, benchmark uncached too", fresh);
  } finally {
    await vendors.stop();
    remove();
  }
}

const wantedOf = (names: string, timeframe: Timeframe): readonly Wanted[] =>
  names.split(" ").map((name) => [name, timeframe] as const);

const open = (dir: string, name: string, { env }: Replayed): Promise<Installation> =>
  install(dir, "live", { ...env, DATA_DIR: join(dir, name) });

/** Warms up the compiled code with a temporary installation. */
async function warmUp(dir: string, vendors: Replayed): Promise<void> {
  const installation = await open(dir, "warm", vendors);
  const { key } = await installation.key("enterprise");
  for (const wanted of WARM_UP) await timedRequest(installation, key, vendors, wanted);
  await installation.stop();
}

/** Generates the data of a symbol in advance, because a real provider does not generate it during a request. */
async function generateData(
  { app }: Installation,
  vendors: Replayed,
  [name, timeframe]: Wanted,
): Promise<void> {
  const { symbols } = app.ports;
  const { instrument } = symbols.resolve(name);
  const read = [symbols.resolve("SPY").instrument, symbols.resolve("BTC-USD").instrument, instrument];
  const lengths = timeframe === "4h" ? (["1h", "4h"] as const) : [timeframe];
  const all = [...read, ...symbols.peers(instrument)];
  await vendors.warm(all.flatMap(({ symbol }) => lengths.map((length) => [symbol, length] as const)));
}

/** Waits until the rate limits allow the calls of a signal to every provider; returns the milliseconds waited. */
async function waitForRateLimits({ app }: Installation, vendors: Replayed): Promise<number> {
  const started = performance.now();
  for (;;) {
    const calls = await vendors.calls();
    const full = app.live!.budgets.some(({ name, calls: limit, perMs }) => {
      const recent = (calls[name] ?? []).filter(({ at }) => Date.now() - at < perMs).length;
      return limit > MAX_CALLS && recent > limit - MAX_CALLS;
    });
    if (!full) return performance.now() - started;
    await sleep(500);
  }
}

async function timedRequest(
  installation: Installation,
  key: string,
  vendors: Replayed,
  wanted: Wanted,
): Promise<Took> {
  const [symbol, timeframe] = wanted;
  await generateData(installation, vendors, wanted);
  const before = await vendors.calls();
  const started = performance.now();
  const response = await fetch(`${installation.url}/api/v1/signals/${symbol}?timeframe=${timeframe}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const body = await response.text();
  const ms = performance.now() - started;
  const after = await vendors.calls();
  const calls = Object.entries(after).flatMap(([name, { length }]) => {
    const made = length - (before[name]?.length ?? 0);
    return made === 0 ? [] : [[name, made] as const];
  });
  return { wanted, ms, calls: Object.fromEntries(calls), refused: response.ok ? null : body.slice(0, 300) };
}

function printTimes(name: string, took: readonly Took[]): void {
  const line = ({ wanted: [symbol, timeframe], ms, calls, refused }: Took) => {
    const who = Object.entries(calls).map(([vendor, made]) => `${vendor} ${made}`);
    return `  ${symbol.padEnd(9)} ${timeframe}  ${String(Math.round(ms)).padStart(5)} ms  ${who.join(", ")}${refused === null ? "" : `  REFUSED ${refused}`}`;
  };
  console.log(`\n${name}`);
  for (const one of took) console.log(line(one));
  const times = took.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))]!);
  const calls = took.map((one) => Object.values(one.calls).reduce((sum, made) => sum + made, 0));
  const refused = took.filter((one) => one.refused !== null).length;
  console.log(
    `${name}: ${took.length} signals, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms (target of p95: ${TARGET_MS}); ${Math.min(...calls)} to ${Math.max(...calls)} calls each; ${refused} refused`,
  );
  if (at(0.95) > TARGET_MS || refused > 0) process.exitCode = 1;
}
