import Big from "big.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PaperPosition } from "../../../src/domain/trading/paper-repository-port.ts";
import { bookFill } from "../../../src/providers/paper/ledger.ts";

const sum = (values: readonly string[]) => values.reduce((total, value) => total.plus(value), new Big(0));
const fill = (side: "buy" | "sell", quantity: string, price: string, fee = "0") => ({
  number: 1,
  symbol: "AAPL",
  side,
  quantity: new Big(quantity),
  price: new Big(price),
  fee: new Big(fee),
});

describe("a booking", () => {
  it("moves cash into a position at cost, and back with the realised gain", () => {
    const bought = bookFill(new Big(10_000), null, fill("buy", "10", "100.005"));
    expect(bought.position).toEqual({
      symbol: "AAPL",
      quantity: "10",
      cost: "1000.05",
      averagePrice: "100.005",
    });
    const sold = bookFill(bought.cash, bought.position, fill("sell", "4", "110", "0.02"));
    expect(sold.position).toEqual({
      symbol: "AAPL",
      quantity: "6",
      cost: "600.03",
      averagePrice: "100.005",
    });
    expect(sold.cash.toFixed()).toBe("9439.93"); // 8999.95 + 440 - 0.02
    expect(sold.rows.map(({ ledger, amount, quantity }) => [ledger, amount, quantity])).toEqual([
      ["cash", "439.98", null],
      ["position", "-400.02", "-4"],
      ["realised", "-39.98", null],
      ["fees", "0.02", null],
    ]);
  });

  it("closes a position and opens the rest in the other direction", () => {
    const four = { symbol: "AAPL", quantity: "4", cost: "400", averagePrice: "100" };
    const turned = bookFill(new Big(0), four, fill("sell", "10", "90"));
    expect(turned.position).toEqual({ symbol: "AAPL", quantity: "-6", cost: "-540", averagePrice: "90" });
    expect(turned.cash.toFixed()).toBe("900");
    expect(turned.rows.find(({ ledger }) => ledger === "realised")?.amount).toBe("40"); // a loss of 40
    const covered = bookFill(turned.cash, turned.position, fill("buy", "6", "80"));
    expect(covered.position).toEqual({ symbol: "AAPL", quantity: "0", cost: "0", averagePrice: "0" });
    expect(covered.rows.find(({ ledger }) => ledger === "realised")?.amount).toBe("-60");
  });

  it("averages the prices of fills worth fractions of a cent", () => {
    const first = bookFill(new Big(1_000), null, fill("buy", "0.0001", "140545.2183"));
    expect(first.position).toMatchObject({ cost: "14.06", averagePrice: "140545.2183" });
    // (1 x 140545.2183 + 2 x 140545.2186) / 3
    const second = bookFill(first.cash, first.position, fill("buy", "0.0002", "140545.2186"));
    expect(second.position.averagePrice).toBe("140545.2185");
    const third = bookFill(second.cash, second.position, fill("buy", "0.0003", "140545.2187"));
    expect(third.position.averagePrice).toBe("140545.2186");
    const less = bookFill(third.cash, third.position, fill("sell", "0.0005", "99"));
    expect(less.position).toMatchObject({ quantity: "0.0001", averagePrice: "140545.2186" });
  });

  const fills = fc.array(
    fc.record({
      side: fc.constantFrom("buy" as const, "sell" as const),
      quantity: fc.integer({ min: 1, max: 5_000_000 }).map((n) => new Big(n).div(1_000).toFixed()),
      price: fc.integer({ min: 1, max: 50_000_000 }).map((n) => new Big(n).div(10_000).toFixed()),
      fee: fc.integer({ min: 0, max: 500 }).map((n) => new Big(n).div(100).toFixed()),
    }),
    { maxLength: 30 },
  );

  it("sums to 0, and cash plus cost is the opening cash plus gains less fees, to the cent", () => {
    fc.assert(
      fc.property(fills, (all) => {
        let cash = new Big(100_000);
        let held: PaperPosition | null = null;
        const rows = all.flatMap((one) => {
          const booked = bookFill(cash, held, fill(one.side, one.quantity, one.price, one.fee));
          expect(sum(booked.rows.map(({ amount }) => amount)).toFixed()).toBe("0");
          cash = booked.cash;
          held = booked.position;
          return booked.rows;
        });
        const of = (ledger: string) =>
          sum(rows.filter((row) => row.ledger === ledger).map(({ amount }) => amount));
        const position = held as PaperPosition | null;
        expect(of("cash").plus(100_000).eq(cash)).toBe(true);
        expect(of("position").eq(position?.cost ?? 0)).toBe(true);
        const made = of("realised").neg().minus(of("fees")).plus(100_000);
        expect(cash.plus(position?.cost ?? 0).eq(made)).toBe(true);
        const units = all.map(({ side, quantity }) => (side === "buy" ? quantity : `-${quantity}`));
        expect(sum(units).eq(position?.quantity ?? 0)).toBe(true);
        expect(sum(rows.flatMap(({ quantity }) => quantity ?? [])).eq(position?.quantity ?? 0)).toBe(true);
        if (position?.quantity === "0") expect(position.cost).toBe("0");
      }),
    );
  });

  it("averages the fills of a position to nine decimal places", () => {
    const Exact = Big();
    Exact.DP = 60;
    fc.assert(
      fc.property(fills, (all) => {
        let held: PaperPosition | null = null;
        let [units, worth] = [new Exact(0), new Exact(0)];
        for (const one of all) {
          held = bookFill(new Big(0), held, fill(one.side, one.quantity, one.price)).position;
          const by = new Exact(one.quantity).times(one.side === "buy" ? 1 : -1);
          const after = units.plus(by);
          if (after.times(units).lte(0)) worth = after.times(one.price);
          else if (after.abs().gt(units.abs())) worth = worth.plus(by.times(one.price));
          else worth = worth.times(after).div(units);
          units = after;
          const average: string = (held as PaperPosition).averagePrice;
          if (units.eq(0)) expect(average).toBe("0");
          else expect(worth.div(units).minus(average).abs().lt("1e-15")).toBe(true);
        }
      }),
    );
  });
});
