import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import { writeBars } from "../../support/installation.ts";
import { movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Bars of the last seven sessions of a folder that ends on 2026-06-29. */
const LATER = 7;

it("a folder keeps its runs and scores its signals as bars are added", async () => {
  const dir = tempDir();
  const folder = await writeBars(dir, [
    ["AAPL", "1d"],
    ["SPY", "1d"],
  ]);
  const whole = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  const clock = movingClock(new Date("2026-06-18T21:00:00Z"));
  const settings = { DATA_DIR: join(dir, "data"), MARKET_DATA: `files:${folder}`, LOG_LEVEL: "silent" };
  const run = async () => {
    const app = await createApp(readConfig({ CACHE_MB: "2048", ...settings }), { clock });
    try {
      const { head, rows } = await app.engine.run({ universe: { name: "sp500" } });
      const record = await app.ports.trackRecord.published("1d");
      return { id: app.ports.market.id, head, rows, record, runs: await app.engine.status(9) };
    } finally {
      await app.close();
    }
  };
  for (const [name, text] of whole)
    writeFileSync(join(folder, name), `${text.trimEnd().split("\n").slice(0, -LATER).join("\n")}\n`);
  const before = await run();
  expect(before.record).toBeNull();
  for (const [name, text] of whole) writeFileSync(join(folder, name), text);
  clock.pass(12 * 86_400_000);
  const after = await run();
  expect(after.id).toBe(before.id);
  expect(after.head.content).not.toBe(before.head.content);
  expect(after.runs.map(({ run_id }) => run_id)).toEqual([after.head.run_id, before.head.run_id]);
  expect(after.record, "both signals have what came 5 bars after them").toMatchObject({
    signals: 2,
    from: before.rows[0]!.as_of,
  });
});
