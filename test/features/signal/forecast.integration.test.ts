import { join } from "node:path";
import { expect, it } from "vitest";
import { ODDS_VERSION } from "../../../src/analytics/odds/odds.ts";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { callerOf } from "../../support/tool-call.ts";

it("stores the odds of a served signal once, also when the server stops at once", async () => {
  const dir = tempDir();
  const settings = { DATA_DIR: dir, MARKET_DATA: "sample", LOG_LEVEL: "silent" };
  const app = await createApp(readConfig({ CACHE_MB: "2048", ...settings }), {
    clock: { now: () => new Date("2026-11-20T15:00:00.000Z") },
  });
  const call = callerOf(getSignal, app.ports, app.owner);
  const { data } = await call({ symbol: "AAPL" });
  await call({ symbol: "AAPL" });
  await app.close();
  const raw = new Database(join(dir, "market-signal.db"));
  const rows = raw
    .prepare("SELECT symbol, close, version, json FROM odds_forecasts JOIN signals USING (id)")
    .all() as { symbol: string; close: number; version: string; json: string }[];
  raw.close();
  expect(rows).toMatchObject([{ symbol: "AAPL", version: ODDS_VERSION }]);
  const [five, twenty, sixty, plan] = JSON.parse(rows[0]!.json);
  expect([five, twenty, sixty].map(([quantiles]) => quantiles.length)).toEqual([7, 7, 7]);
  const { stop_first, target_first, neither } = data.signal.odds!;
  expect(plan[0]).toEqual([stop_first, target_first, neither].map((odds) => Math.round(100 * odds)));
});
