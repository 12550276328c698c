import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createMeters } from "../../../src/access/meters.ts";
import { PLAN_SCHEDULES, type PlanSchedule } from "../../../src/access/plans.ts";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import type { Instrument } from "../../../src/domain/market/market.ts";
import type { Clock, Quotes } from "../../../src/domain/ports.ts";
import type { PriceProvider } from "../../../src/domain/providers/price-provider.ts";
import { guard } from "../../../src/market/failover/guard.ts";
import { liveQuotes } from "../../../src/market/prices/quotes.ts";
import { marketCache } from "../../../src/store/market/market-cache.ts";
import { listen } from "../../../src/transports/http/listen.ts";
import { serveMcpStdio } from "../../../src/transports/mcp/stdio.ts";
import { createHttpApplication, type HttpApplication } from "../../../src/transports/site.ts";

// The program on a data folder of its own, with unreachable quotas and quotes of an in-process provider: over HTTP,
// or with the argument "stdio" over standard input and output. With "background" the background work of a server, such
// as the first nightly run, starts too. Over HTTP it writes its state to stdout for each line that it reads from stdin.
const HEARTBEAT_MS = 20;
const dataDir = mkdtempSync(join(tmpdir(), "market-signal-bench-"));
const app = await createApp(readConfig({ DATA_DIR: dataDir }));
const windows = await app.store.openRateLimits();
const meters = createMeters({ windows, schedule: unlimited(PLAN_SCHEDULES.A) });
const { registry } = app;
const ports = { ...app.ports, quotes: quotesOf(app.clock), meters };
const heartbeat = startHeartbeat();
const stop = process.argv[2] === "stdio" ? await serveStdio() : await serveHttp();
process.once("SIGTERM", async () => {
  await stop();
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});

async function serveStdio(): Promise<() => Promise<void>> {
  const served = serveMcpStdio({ registry, ports, version: "0.0.0", principal: app.owner });
  return () => {
    process.stdin.destroy();
    return served;
  };
}

async function serveHttp(): Promise<() => Promise<void>> {
  const { key } = await app.access.create({ plan: "pro" });
  const a2aTasks = await app.a2aTasks();
  let site: HttpApplication;
  const listening = await listen((request, env) => site.fetch(request, env), { host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listening.port}`;
  site = createHttpApplication({
    registry,
    ports,
    identify: app.authenticate,
    a2aTasks,
    settings: {
      version: "0.0.0",
      publicUrl: url,
      allowedHosts: ["127.0.0.1", "localhost", "::1"],
      trustProxy: false,
      metricsToken: null,
    },
  });
  app.start({ backgroundWork: process.argv[2] === "background" });
  process.stdout.write(`${JSON.stringify({ url, key })}\n`);
  createInterface(process.stdin).on("line", () =>
    process.stdout.write(`${JSON.stringify(heartbeat.state())}\n`),
  );
  return async () => {
    await site.drain();
    await listening.close(1_000);
  };
}

/** Measures the longest pause of the event loop since the last call of `state`, in milliseconds, and the memory. */
function startHeartbeat() {
  let last = performance.now();
  let longest = 0;
  setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - HEARTBEAT_MS);
    last = now;
  }, HEARTBEAT_MS).unref();
  return {
    state() {
      const state = { longestPauseMs: longest, memoryMb: process.memoryUsage.rss() / 2 ** 20 };
      longest = 0;
      return state;
    },
  };
}

function unlimited(schedule: PlanSchedule): PlanSchedule {
  const limits = { burst: { quota: 1e12, window: 60 }, daily: { quota: 1e12, window: 86_400 } };
  const plans = Object.entries(schedule.plans).map(([plan, row]) => [plan, { ...row, ...limits }]);
  return { ...schedule, plans: Object.fromEntries(plans) as PlanSchedule["plans"] };
}

/** Live quotes from an in-process provider, which is called once; later quotes come from the cache. */
function quotesOf(clock: Clock): Quotes {
  const now = () => clock.now().getTime();
  const source = guard<PriceProvider>(
    () => ({
      name: "bench",
      serves: new Set<Instrument["asset_class"]>(["equity", "etf", "crypto"]),
      budget: { calls: 1_000, perMs: 60_000, atOnce: 4 },
      delayMinutes: 0,
      liveWithinMs: 60_000,
      reaches: {},
      latest: async () => ({
        price: 227.63,
        previousClose: 225.12,
        open: 225.4,
        high: 228.87,
        low: 224.9,
        tradedAt: now() - 1_000,
        volume: 41_237_804,
        volumeScope: "all_venues",
        venue: "US",
      }),
    }),
    { fetch, clock },
  );
  const memory = marketCache({ db: app.store.db, market: "bench", log: app.log, clock: app.ports.clock });
  return liveQuotes({ chain: () => [source], memory, clock });
}
