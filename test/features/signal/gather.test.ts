import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import type { BarHistory } from "../../../src/domain/ports.ts";
import { gather } from "../../../src/features/signal/gather.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { climbingBars, type FakeMarket, marketOf, YESTERDAY } from "../../support/market.ts";

const DAY = 86_400_000;
const signal = new AbortController().signal;
const bars = climbingBars();
const standing = (held: FakeMarket["bars"], symbol = "AAPL") => {
  const market = marketOf({ bars: held });
  const { instrument } = market.ports.symbols.resolve(symbol);
  return { ...market, instrument };
};

describe("the inputs of a consensus", () => {
  it("end at the decision bar, even when other symbols have traded since", async () => {
    const own = sliceBars(bars, 0, 298);
    const { instrument, ports } = standing({ AAPL: own, SPY: bars, MSFT: bars });
    const { input, decidedAt } = await gather(instrument, { timeframe: "1d", signal }, ports);
    expect(decidedAt).toBe("2026-01-12T21:00:00.000Z");
    for (const { time } of [input.bars, input.benchmark!, input.peers[0]!])
      expect(time.at(-1)).toBe(YESTERDAY - 2 * DAY);
    expect(input.benchmark!.time).toHaveLength(298);
    expect(input.peers[0]!.time, "no fewer for that").toHaveLength(80);
  });

  it("are requested concurrently, and once when all end at the same bar", async () => {
    const { instrument, ports, requests } = standing({ AAPL: bars, SPY: bars, MSFT: bars });
    const waiting: (() => void)[] = [];
    const slow: BarHistory = {
      async history(...request) {
        await new Promise<void>((go) => waiting.push(go));
        return ports.bars.history(...request);
      },
    };
    const symbols = { ...ports.symbols, universe: () => [] };
    const gathered = gather(instrument, { timeframe: "1d", signal }, { ...ports, symbols, bars: slow });
    expect(waiting, "the series, its benchmark and its peer").toHaveLength(3);
    for (const go of waiting) go();
    await gathered;
    expect(requests.map(({ symbol }) => symbol)).toEqual(["AAPL", "SPY", "MSFT"]);
  });

  it("include no ranks and no daily bars in a market without a universe", async () => {
    const around = (timeframe: "1d" | "4h") => climbingBars({ timeframe, zone: "UTC" });
    const { instrument, ports, requests } = standing({ "BTC-USD": [around("1d"), around("4h")] }, "BTC-USD");
    const symbols = { ...ports.symbols, universe: () => [] };
    const { input } = await gather(instrument, { timeframe: "4h", signal }, { ...ports, symbols });
    expect(input.universe).toBeNull();
    expect(requests.map(({ timeframe }) => timeframe)).toEqual(["4h"]);
  });

  it("are refused for too few bars, even when other series fail", async () => {
    const { instrument, ports } = standing({ AAPL: climbingBars({ count: 14 }), SPY: bars });
    const failing: BarHistory = {
      history: (one, request) =>
        one.symbol === "SPY"
          ? Promise.reject(new ToolError("UPSTREAM_UNAVAILABLE", "No"))
          : ports.bars.history(one, request),
    };
    await expect(
      gather(instrument, { timeframe: "1d", signal }, { ...ports, bars: failing }),
    ).rejects.toMatchObject({ code: "NOT_ENOUGH_DATA", data: { available: 14 } });
  });

  it("fail as a whole if another series fails while the prints are still read", async () => {
    const { instrument, ports } = standing({ AAPL: bars, SPY: bars });
    const unhandled: unknown[] = [];
    const listen = (cause: unknown) => unhandled.push(cause);
    process.on("unhandledRejection", listen);
    const failing: BarHistory = {
      history: (one, request) =>
        one.symbol === "SPY"
          ? Promise.reject(new ToolError("UPSTREAM_UNAVAILABLE", "No"))
          : ports.bars.history(one, request),
    };
    const prints: typeof ports.prints = {
      ...ports.prints,
      tape: async (...request) => {
        await setImmediate();
        await setImmediate();
        return ports.prints.tape(...request);
      },
    };
    await expect(
      gather(instrument, { timeframe: "1d", signal }, { ...ports, bars: failing, prints }),
    ).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
  });
});
