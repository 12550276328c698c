import { join } from "node:path";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import { invoke } from "../../../src/kernel/invoke.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { collectingLog } from "../../support/context.ts";
import { suiteDir } from "../../support/temp-dir.ts";

const SYMBOLS = ["AAPL", "MSFT", "NVDA", "AMZN", "JPM", "XOM"] as const;
const NOW = new Date("2026-06-10T15:00:00.000Z");
const WARM_UP = 120;
const CALLS = 600;
const TARGET_MS = 10;

/**
 * Times get_signal as a tool call on the simulated market: from reading the bars to the
 * result. Calls share only the caches that a server has too.
 */
export async function timeSignalCall(): Promise<void> {
  const { dir, remove } = suiteDir();
  const config = readConfig({ DATA_DIR: join(dir, "data"), MARKET_DATA: "sample", LOG_LEVEL: "silent" });
  const app = await createApp(config, { log: collectingLog().log, clock: { now: () => NOW } });
  const call = (i: number) =>
    invoke(
      getSignal,
      { symbol: SYMBOLS[i % SYMBOLS.length]!, detail: "full" },
      { ports: app.ports, principal: app.owner, transport: "bench", detail: "full" },
    );
  try {
    const driverCounts = new Map<string, number>();
    for (let i = 0; i < SYMBOLS.length; i++) {
      const { data } = await call(i);
      driverCounts.set(data.signal.symbol, data.drivers!.filter(({ value }) => value !== null).length);
    }
    for (let i = 0; i < WARM_UP; i++) await call(i);
    const times = new Float64Array(CALLS);
    const cpu = new Float64Array(CALLS);
    for (let i = 0; i < CALLS; i++) {
      const [start, used] = [performance.now(), process.cpuUsage()];
      await call(i);
      times[i] = performance.now() - start;
      const { user, system } = process.cpuUsage(used);
      cpu[i] = (user + system) / 1000;
    }
    const at = (all: Float64Array, share: number) => all.toSorted()[Math.floor(share * CALLS)]!.toFixed(2);
    const drivers = [...driverCounts].map(([symbol, count]) => `${symbol} ${count}`).join(", ");
    console.log(`drivers with a value: ${drivers}`);
    console.log(
      `${"get_signal, sample".padEnd(25)} median ${at(times, 0.5)} ms   p95 ${at(times, 0.95)} ms   CPU ${at(cpu, 0.5)} ms   over ${CALLS} calls (target of the median: ${TARGET_MS} ms)`,
    );
    if (Number(at(times, 0.5)) > TARGET_MS) process.exitCode = 1;
  } finally {
    await app.close();
    remove();
  }
}
