import { describe, expect, it } from "vitest";
import type { PutCallDay } from "../../../src/domain/options-flow/options.ts";
import type { Clock } from "../../../src/domain/ports.ts";
import { putCallRepository } from "../../../src/store/options-flow/put-call-repository.ts";
import { collectingLog, stoppedClock } from "../../support/context.ts";
import { movingClock, testStore } from "../../support/store.ts";

const day = (date: string, total: number): PutCallDay => ({
  day: date,
  at: Date.parse(`${date}T23:00:00Z`),
  total,
  index: null,
  etp: 1,
  equity: 0.5,
  callVolume: 100,
  putVolume: null,
});
const openRepository = async (market = "test", clock: Clock = stoppedClock()) => {
  const { db } = await testStore();
  const { log, lines } = collectingLog();
  return { db, lines, ...putCallRepository({ db, market, log, clock }) };
};
const all = { until: Date.parse("2027-01-01"), limit: 999 };

describe("stored put/call ratios", () => {
  it("are listed oldest first with their provider, as known at a time", async () => {
    const { save, days } = await openRepository();
    await save("2026-01-14", day("2026-01-14", 0.9), "cboe");
    await save("2026-01-13", day("2026-01-13", 0.8), "cboe");
    expect(await days(all)).toEqual([
      { ...day("2026-01-13", 0.8), source: "cboe" },
      { ...day("2026-01-14", 0.9), source: "cboe" },
    ]);
    expect(await days({ ...all, limit: 1 })).toMatchObject([{ total: 0.9 }]);
    expect(await days({ ...all, until: Date.parse("2026-01-14T22:59:59Z") })).toMatchObject([{ total: 0.8 }]);
  });

  it("list the known dates, including days without ratios", async () => {
    const { save, days, knownDates } = await openRepository();
    await save("2026-01-14", day("2026-01-14", 0.9), "cboe");
    await save("2026-01-13", null, "cboe");
    expect(await knownDates(["2026-01-12", "2026-01-13", "2026-01-14"])).toEqual(
      new Set(["2026-01-13", "2026-01-14"]),
    );
    expect(await knownDates([])).toEqual(new Set());
    expect(await days(all)).toHaveLength(1);
  });

  it("do not count a day as known that was given up while the clock was ahead", async () => {
    const clock = movingClock(new Date("2026-02-20T15:00:00Z"));
    const { save, knownDates } = await openRepository("test", clock);
    await save("2026-01-14", null, "cboe");
    expect(await knownDates(["2026-01-14"])).toEqual(new Set(["2026-01-14"]));
    clock.pass(-30 * 86_400_000);
    expect(await knownDates(["2026-01-14"])).toEqual(new Set());
  });

  it("are replaced by later ones, and belong to one market", async () => {
    const { db, save, days } = await openRepository();
    await save("2026-01-14", null, "cboe");
    await save("2026-01-14", day("2026-01-14", 0.9), "cboe");
    expect(await days(all)).toHaveLength(1);
    const other = putCallRepository({
      db,
      market: "another",
      log: collectingLog().log,
      clock: stoppedClock(),
    });
    expect(await other.days(all)).toEqual([]);
    expect(await other.knownDates(["2026-01-14"])).toEqual(new Set());
  });

  it("ignore an invalid row, and log failed writes", async () => {
    const { db, save, days, lines } = await openRepository();
    await save("2026-01-14", day("2026-01-14", 0.9), "cboe");
    await db.updateTable("put_call_days").set({ json: '{"total":-1}' }).execute();
    expect(await days(all)).toEqual([]);
    await db.schema.dropTable("put_call_days").execute();
    await save("2026-01-14", null, "cboe");
    expect(lines).toMatchObject([{ level: "warn", event: "put_call_day_not_stored" }]);
  });
});
