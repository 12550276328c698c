import { cpus } from "node:os";
import { type Chart, chartSvg } from "../../src/charts/chart.ts";
import { pngOf } from "../../src/lib/png.ts";
import { readDailyFolder } from "../support/daily-bars.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";
import { testData } from "../support/test-data.ts";

const SYMBOLS = 20;
const CALLS = 100;
const WARM_UP = 20;

/**
 * Times one chart as SVG and as PNG, 120 bars with averages and levels, one after the other, and prints its size in
 * bytes.
 */
export async function run(): Promise<void> {
  const folder = testData("ohlcv", "us_daily");
  const series =
    folder === null
      ? Array.from({ length: SYMBOLS }, (_, i) => syntheticBars(i + 1, 500))
      : [...readDailyFolder(folder).values()].slice(0, SYMBOLS);
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}`);
  console.log(
    `${series.length} ${folder === null ? "synthetic" : "real"} symbols, 120 daily bars each, 1200x675`,
  );
  const charts = series.map((bars): Chart => {
    const close = bars.close.at(-1)!;
    const [low, high, stop] = [0.99 * close, 1.01 * close, 0.94 * close];
    return {
      symbol: "AAPL",
      name: "Apple",
      source: "files",
      venue: "US",
      closedAt: "2026-01-14T21:00:00.000Z",
      bars,
      shown: 120,
      verdict: "LONG",
      summary: "grade B+, score 71.0",
      plan: {
        side: "LONG",
        basis: "signal",
        stop,
        entry: { low, high },
        targets: [1.06, 1.13, 1.2].map((by) => by * close),
      },
      range: [5, 10, 20].map((bars) => {
        const at = (sigmas: number) => close * Math.exp(sigmas * 0.015 * Math.sqrt(bars));
        return {
          bars,
          p5: at(-1.64),
          p10: at(-1.28),
          p25: at(-0.67),
          p50: at(0),
          p75: at(0.67),
          p90: at(1.28),
          p95: at(1.64),
        };
      }),
      odds: null,
      levels: null,
      simulated: null,
    };
  });
  await report("SVG", charts, async (chart) => chartSvg(chart).length);
  await report("SVG and PNG", charts, async (chart) => (await pngOf(chartSvg(chart))).length);
}

async function report(name: string, charts: readonly Chart[], call: (chart: Chart) => Promise<number>) {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let i = -WARM_UP; i < CALLS; i++) {
    const start = performance.now();
    const bytes = await call(charts[(i + WARM_UP) % charts.length]!);
    if (i < 0) continue;
    times.push(performance.now() - start);
    sizes.push(bytes);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => `${times[Math.floor(share * CALLS)]!.toFixed(1)} ms`;
  const most = `${(Math.max(...sizes) / 1000).toFixed(1)} KB`;
  console.log(`${name.padEnd(12)} median ${at(0.5)}   p95 ${at(0.95)}   largest ${most}`);
}
