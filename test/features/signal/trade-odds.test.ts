import { describe, expect, it } from "vitest";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { tradeOdds } from "../../../src/features/signal/trade-odds.ts";
import { inlineCompute } from "../../support/context.ts";
import { splitAt, syntheticBars } from "../../support/synthetic-bars.ts";

const instrument = { symbol: "AAPL", asset_class: "equity" } as const;

describe("the odds of a trade", () => {
  it("read the bars from a suspected split on if they are enough, else name the split", async () => {
    const bars = splitAt(syntheticBars(3, 800), 500, "raw");
    const price = bars.close.at(-1)!;
    const plan = { instrument, price, side: "LONG", stop: price * 0.95, target: price * 1.1 } as const;
    const ports = { compute: inlineCompute() };
    const odds = await tradeOdds({ ...plan, bars }, ports);
    expect(odds.odds_reason).toBeNull();
    expect(odds).toEqual(await tradeOdds({ ...plan, bars: sliceBars(bars, 500) }, ports));
    // 119 bars from the split on
    const late = await tradeOdds({ ...plan, bars: splitAt(syntheticBars(3, 800), 681, "raw") }, ports);
    expect(late.odds_reason).toMatch(/possibly an unadjusted split/);
  });
});
