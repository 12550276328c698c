import { describe, expect, it } from "vitest";
import { estimateRepository } from "../../../src/store/earnings/estimate-repository.ts";
import { testStore } from "../../support/store.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AT = Date.UTC(2026, 0, 15, 12);
const said = (over: object = {}) => ({
  symbol: "AAPL",
  source: "yahoo",
  period: "Q4 2025",
  takenAt: AT,
  eps: 2.61,
  revenue: 138_000_000_000,
  ...over,
});

describe("the repository of estimates", () => {
  it("stores the last estimate of a day for each provider and period, newest first", async () => {
    const repository = estimateRepository({ db: (await testStore()).db, market: "live" });
    const rows = [
      said({ takenAt: AT - DAY, eps: 2.6 }),
      said({ eps: 2.62 }),
      said({ takenAt: AT + HOUR }),
      said({ source: "finnhub", takenAt: AT + 2 * HOUR, revenue: null }),
      said({ period: "Q1 2026", takenAt: AT + 3 * HOUR, eps: null }),
    ];
    for (const row of rows) await repository.save(row);
    expect(await repository.list("AAPL")).toEqual([rows[4], rows[3], rows[2], rows[0]]);
  });

  it("separates symbols and markets", async () => {
    const { db } = await testStore();
    const repository = estimateRepository({ db, market: "live" });
    await repository.save(said());
    expect(await repository.list("MSFT")).toEqual([]);
    expect(await estimateRepository({ db, market: "live-elsewhere" }).list("AAPL")).toEqual([]);
  });

  it("deletes snapshots after their retention", async () => {
    const repository = estimateRepository({ db: (await testStore()).db, market: "live" });
    await repository.save(said({ takenAt: AT - 801 * DAY, period: "Q3 2023" }));
    await repository.save(said({ takenAt: AT - 799 * DAY, period: "Q4 2023" }));
    await repository.save(said());
    expect((await repository.list("AAPL")).map(({ period }) => period)).toEqual(["Q4 2025", "Q4 2023"]);
  });

  it("stores each change of a report date, and returns the one known at a time", async () => {
    const { db } = await testStore();
    const repository = estimateRepository({ db, market: "live" });
    const noted = (notedAt: number, over: object = {}) => ({
      symbol: "AAPL",
      source: "yahoo",
      notedAt,
      date: "2026-01-29",
      hour: "unknown" as const,
      confirmed: false,
      ...over,
    });
    const first = noted(AT);
    const fixed = noted(AT + DAY, { hour: "after_close", confirmed: true });
    for (const date of [first, noted(AT + HOUR), fixed]) await repository.saveDate(date);
    const result = (moment: number) => repository.dateKnownAt("AAPL", moment);
    expect(await Promise.all([AT - 1, AT, AT + 2 * HOUR, AT + DAY - 1, AT + DAY].map(result))).toEqual([
      null,
      first,
      first,
      first,
      fixed,
    ]);
    expect(await db.selectFrom("report_dates").select("noted_at").execute()).toHaveLength(2);
    expect(await repository.dateKnownAt("MSFT", AT)).toBeNull();
    expect(await estimateRepository({ db, market: "live-elsewhere" }).dateKnownAt("AAPL", AT)).toBeNull();
  });
});
