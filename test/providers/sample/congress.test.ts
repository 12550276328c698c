import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Disclosure } from "../../../src/domain/congress/congress.ts";
import { isoDate } from "../../../src/providers/sample/time.ts";
import { DAY, marketAt } from "./fixture.ts";

const NOW = "2026-06-30T12:00:00.000Z";
const YEAR = { from: "2025-07-01", until: "2026-06-30" };

describe("disclosures of the simulated market", () => {
  it("never change and do not depend on the order of requests", async () => {
    const { trades } = await marketAt(NOW).congress.disclosures(YEAR);
    const later = marketAt("2026-09-01T00:00:00.000Z").congress;
    await later.disclosures({ from: "2026-08-01", until: "2026-08-31" });
    const again = (await later.disclosures(YEAR)).trades;
    const known = again.filter(({ id }) => trades.some((trade) => trade.id === id));
    expect(known).toEqual(trades);
    const hash = createHash("sha256").update(JSON.stringify(trades)).digest("hex");
    expect(hash.slice(0, 16)).toMatchInlineSnapshot(`"7db5013bb57e75e7"`);
  });

  it("are never filed after the clock's time, nor traded after their filing", async () => {
    const from = "2026-06-30";
    for (const hour of ["00", "09", "20"]) {
      const now = `2026-06-30T${hour}:00:00.000Z`;
      const { trades } = await marketAt(now).congress.disclosures({ from, until: "2026-12-31" });
      const later = marketAt("2026-07-01T00:00:00.000Z");
      const whole = await later.congress.disclosures({ from, until: from });
      expect(trades.length).toBeLessThanOrEqual(whole.trades.length);
      for (const { filing_date } of trades) expect(filing_date).toBe("2026-06-30");
    }
    const { trades } = await marketAt(NOW).congress.disclosures(YEAR);
    for (const { transaction_date, filing_date, days_to_file } of trades) {
      expect(transaction_date! < filing_date).toBe(true);
      expect((Date.parse(filing_date) - Date.parse(transaction_date!)) / DAY).toBe(days_to_file);
    }
  });

  it("match the published schema and name only fictional members", async () => {
    const { trades, unread, coverage } = await marketAt(NOW).congress.disclosures(YEAR);
    expect(trades.length).toBeGreaterThan(1_000);
    for (const trade of trades) {
      expect(Disclosure.strict().safeParse(trade).error).toBeUndefined();
      expect(trade.member).toMatch(/^Sample Member \d+$/);
      expect(trade.late).toBe(trade.days_to_file! > 45);
    }
    expect(unread.length).toBeGreaterThan(5);
    expect(unread[0]!.member).toMatch(/^Sample Member \d+$/);
    expect([coverage.house.covered, coverage.senate.covered]).toEqual([true, true]);
    expect(new Set(trades.map(({ party }) => party))).toEqual(new Set(["D", "R", "I"]));
    expect(new Set(trades.map(({ chamber }) => chamber))).toEqual(new Set(["house", "senate"]));
  });

  it("agree with the stock's later direction in three of five cases", async () => {
    const { congress, bars, members } = marketAt(NOW);
    const { trades } = await congress.disclosures({ from: "2024-01-01", until: "2026-06-30" });
    const closes = new Map<string, ReadonlyMap<string, number>>();
    for (const member of members) {
      const { bars: days } = await bars.history(member, { timeframe: "1d", limit: 1_300 });
      const rows = Array.from(days.time, (time, i) => [isoDate(time), days.close[i]!] as const);
      closes.set(member.symbol, new Map(rows));
    }
    const before = (day: string) => isoDate(Date.parse(day) - DAY);
    let [right, known] = [0, 0];
    for (const { ticker, type, transaction_date, filing_date } of trades) {
      if (ticker === null || type === "exchange") continue;
      const went = (symbol: string) =>
        closes.get(symbol)!.get(before(filing_date))! / closes.get(symbol)!.get(transaction_date!)!;
      const [own, market] = [went(ticker), went("SPY")];
      if (!Number.isFinite(own) || own === market) continue;
      known++;
      if ((type === "buy") === own > market) right++;
    }
    expect(known).toBeGreaterThan(3_000);
    // Three standard errors of a share of .6 over 3,000 are .027.
    expect(Math.abs(right / known - 0.6)).toBeLessThan(0.027);
  });

  it("are filtered by symbol and chamber", async () => {
    const { congress } = marketAt(NOW);
    const { trades } = await congress.disclosures({ ...YEAR, symbol: "AAPL", chamber: "senate" });
    expect(trades.length).toBeGreaterThan(0);
    expect(new Set(trades.map(({ ticker, chamber }) => `${ticker} ${chamber}`))).toEqual(
      new Set(["AAPL senate"]),
    );
  });
});
