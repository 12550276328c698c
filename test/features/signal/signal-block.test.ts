import { describe, expect, it } from "vitest";
import { pictureOf } from "../../../src/features/signal/picture.ts";
import { driverRows, reasonsFor } from "../../../src/features/signal/signal-block.ts";
import { climbingBars, smallMarket } from "../../support/market.ts";

const signal = new AbortController().signal;
const { ports } = smallMarket();
const picture = (symbol: string) => pictureOf({ symbol, timeframe: "1d", signal }, ports);

describe("the reasons for a signal", () => {
  it("name the three strongest drivers for it and the strongest against, with sign and size", async () => {
    expect(reasonsFor(await picture("AAPL"))).toEqual([
      "+ strength against the benchmark is 9.0% above its yearly average (bullish 0.90 of 1)",
      "+ 63-bar return 6.1% against 1.6% of 3 sector peers (bullish 0.59 of 1)",
      "+ RSI is 100.0 (bullish 1.00 of 1)",
      "- the last 14 bars lean down (bearish 0.07 of 1)",
    ]);
  });

  it("contain no missing figures", async () => {
    for (const symbol of ["AAPL", "MSFT", "NVDA", "SPY", "ETH-USD"]) {
      const reasons = reasonsFor(await picture(symbol));
      expect(reasons.length).toBeLessThanOrEqual(6);
      for (const reason of reasons) expect(reason).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it("are short when few drivers have a value", async () => {
    const young = smallMarket({ bars: { AAPL: climbingBars({ count: 15 }) } });
    const few = await pictureOf({ symbol: "AAPL", timeframe: "1d", signal }, young.ports);
    for (const reason of reasonsFor(few)) expect(reason).toMatch(/^[+-] .+ \([a-z]_\w+ -?\d\.\d\d\)$/);
    const rows = driverRows(few);
    expect(rows).toHaveLength(29);
    expect(rows.filter(({ value, reason }) => (value === null) === (reason === null))).toEqual([]);
  });
});
