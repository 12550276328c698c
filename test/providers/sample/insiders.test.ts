import { describe, expect, it } from "vitest";
import type { InsiderTrade } from "../../../src/domain/company/insiders.ts";
import { tradingDay } from "../../../src/market/calendar/holidays.ts";
import { listed, marketAt, STOCKS } from "./fixture.ts";

const NOW = Date.UTC(2026, 0, 1);
const market = marketAt(NOW);
const tradesOf = async (symbol: string, over: object = {}, { company } = market) => {
  const answer = await company.insiders(listed(symbol), { openMarket: false, count: 1000, ...over });
  return "unavailable" in answer ? [] : answer.trades;
};

describe("sample insider trades", () => {
  it("are filed two days after a trading day, newest filing first, at prices of the market", async () => {
    const trades = await tradesOf("AAPL");
    expect(trades.length).toBeGreaterThan(80);
    expect(trades.map(({ filed }) => filed)).toEqual(
      trades
        .map(({ filed }) => filed)
        .sort()
        .reverse(),
    );
    for (const { date, filed, price, code } of trades.slice(0, 20)) {
      expect(tradingDay(Date.parse(date))).toBe("full");
      expect(Date.parse(filed) - Date.parse(date)).toBeGreaterThanOrEqual(2 * 86_400_000);
      const asOf = Date.parse(date) + 86_400_000;
      const { bars } = await market.bars.history(listed("AAPL"), { timeframe: "1d", limit: 1, asOf });
      if (code === "A") expect(price).toBeNull();
      else expect(price! <= bars.high[0]! && price! >= bars.low[0]!).toBe(true);
    }
  });

  it("leave each owner with what the trade before left, plus or minus the shares", async () => {
    for (const { symbol } of STOCKS.slice(0, 12)) {
      const held = new Map<string, InsiderTrade>();
      for (const trade of (await tradesOf(symbol)).toReversed()) {
        const before = held.get(trade.owner);
        const sign = trade.direction === "acquired" ? 1 : -1;
        if (before !== undefined) expect(trade.held_after).toBe(before.held_after! + sign * trade.shares!);
        expect(trade.held_after).toBeGreaterThan(0);
        held.set(trade.owner, trade);
      }
      expect([...held.keys()].every((owner) => owner.startsWith("Sample "))).toBe(true);
    }
  });

  it("never change, and are never known before the day after their filing", async () => {
    const then = Date.UTC(2024, 6, 1);
    const before = await tradesOf("MSFT", { until: then });
    expect(before.every(({ filed }) => Date.parse(filed) + 86_400_000 <= then)).toBe(true);
    expect(await tradesOf("MSFT", {}, marketAt(then))).toEqual(before);
    const all = await tradesOf("MSFT");
    expect(all.slice(-before.length)).toEqual(before);
    const open = await tradesOf("MSFT", { openMarket: true });
    expect(open).toEqual(all.filter(({ code }) => code === "P" || code === "S"));
    expect(await market.company.insiders(listed("SPY"), { openMarket: false, count: 1 })).toMatchObject({
      unavailable: "not_covered",
    });
  });
});
