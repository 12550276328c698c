import { describe, expect, it } from "vitest";
import type { Ports } from "../../../src/domain/ports.ts";
import type { BrokerOrder } from "../../../src/domain/trading/trading-port.ts";
import { openRiskOf } from "../../../src/features/trading/open-risk.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { quote } from "../../support/market.ts";

const instrument = {
  symbol: "AAPL",
  name: "Apple",
  asset_class: "equity",
  sector: null,
  currency: "USD",
} as const;

/** Ports of one symbol: its price, or null for none, and its last daily closes. */
function portsOf({
  price,
  closes = [],
  timestamp,
}: {
  price: number | null;
  closes?: readonly number[];
  timestamp?: string;
}) {
  return {
    symbols: { find: () => ({ instrument, alternatives: [] }) },
    quotes: {
      async latest() {
        if (price === null) throw new ToolError("NO_PRICE", "No price");
        return quote({ price, ...(timestamp && { timestamp }) });
      },
    },
    bars: {
      async history() {
        if (closes.length === 0) throw new ToolError("UPSTREAM_UNAVAILABLE", "No bars");
        const column = Float64Array.from(closes);
        return { bars: { high: column, low: column, close: column } };
      },
    },
  } as unknown as Pick<Ports, "symbols" | "bars" | "quotes">;
}

const stopAt = (stopPrice: string, side: "sell" | "buy", quantity = "10") =>
  ({
    symbol: "AAPL",
    side,
    quantity,
    filledQuantity: "0",
    stopPrice,
    status: "working",
    leg: "stop_loss",
  }) as BrokerOrder;
const risk = async (
  { quantity = "10", stop }: { readonly quantity?: string; readonly stop: BrokerOrder },
  ports: ReturnType<typeof portsOf>,
) => {
  const positions = [{ symbol: "AAPL", quantity, averagePrice: "100" }];
  return (await openRiskOf({ positions, orders: [], stops: [stop] }, ports)).toFixed();
};

describe("open risk of a position with a stop", () => {
  it.each([
    ["a long position below its cost", "10", stopAt("90", "sell"), 95, "50"],
    ["a long position whose stop is above its cost", "10", stopAt("120", "sell"), 150, "300"],
    ["a long position below its stop", "10", stopAt("120", "sell"), 110, "0"],
    ["a short position", "-10", stopAt("105", "buy"), 98, "70"],
    ["a short position whose stop is below its cost", "-10", stopAt("80", "buy"), 60, "200"],
    ["a short position above its stop", "-10", stopAt("80", "buy"), 85, "0"],
  ])("is the fall of equity from the price for %s", async (_, quantity, stop, price, expected) => {
    expect(await risk({ quantity, stop }, portsOf({ price }))).toBe(expected);
  });

  it("counts units beyond the stop as without one", async () => {
    // 4 units lose 10 each; 6 have no stop, and without bars each risks its price of 100
    expect(await risk({ stop: stopAt("90", "sell", "4") }, portsOf({ price: 100 }))).toBe("640");
  });

  it("reads a stale price like any other, and the last daily close without one", async () => {
    const stop = stopAt("120", "sell");
    expect(await risk({ stop }, portsOf({ price: 150, timestamp: "2025-12-01T21:00:00.000Z" }))).toBe("300");
    expect(await risk({ stop }, portsOf({ price: null, closes: [140, 130] }))).toBe("100");
  });

  it("reads the average price without a price and bars, for which a stop beyond it risks as much as none", async () => {
    const none = portsOf({ price: null });
    expect(await risk({ stop: stopAt("90", "sell") }, none)).toBe("100");
    expect(await risk({ stop: stopAt("120", "sell") }, none)).toBe("1000");
    expect(await risk({ quantity: "-10", stop: stopAt("80", "buy") }, none)).toBe("1000");
  });
});
