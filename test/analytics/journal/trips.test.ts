import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { netOf } from "../../../src/analytics/journal/summary.ts";
import { type JournalFill, roundTrips } from "../../../src/analytics/journal/trips.ts";
import { decimal, truncated } from "../../../src/lib/decimal.ts";

let made = 0;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 15, 15, minute)).toISOString();
const fill = (
  minute: number,
  side: JournalFill["side"],
  quantity: string,
  price: string,
  over: Partial<JournalFill> = {},
): JournalFill => ({
  id: `o${++made}`,
  symbol: "AAPL",
  side,
  quantity,
  price,
  fees: "0",
  at: at(minute),
  kind: "order",
  stop: null,
  held: null,
  ...over,
});
const seen = (fills: readonly JournalFill[]) =>
  roundTrips(fills).trips.map((trip) =>
    [trip.side, trip.quantity, trip.entryPrice, trip.exitPrice, trip.realized, trip.fees, trip.open].join(
      " ",
    ),
  );

describe("round trips from fills", () => {
  it("go from an entry to its exit, in any order of fills", () => {
    const buy = fill(0, "buy", "10", "100", { stop: "95", fees: "0.1" });
    const sell = fill(60, "sell", "10", "110", { fees: "0.25" });
    const { trips, unmatched } = roundTrips([sell, buy]);
    expect(unmatched).toEqual([]);
    expect(trips).toEqual([
      {
        entry: buy.id,
        symbol: "AAPL",
        side: "LONG",
        openedAt: at(0),
        closedAt: at(60),
        quantity: "10",
        open: "0",
        entryPrice: "100",
        exitPrice: "110",
        fees: "0.35",
        realized: "100",
        stop: "95",
        exits: [{ order: sell.id, kind: "order", quantity: "10", price: "110", at: at(60) }],
      },
    ]);
  });

  it("close the oldest entry first, and divide an exit's fee by units", () => {
    // 6 of the first entry at 12 - 10 = 2, 4 of the second at 12 - 11 = 1; a fee of 1 is split into 0.6 and 0.4.
    const fills = [
      fill(0, "buy", "6", "10"),
      fill(1, "buy", "6", "11"),
      fill(2, "sell", "10", "12", { fees: "1" }),
    ];
    expect(seen(fills)).toEqual(["LONG 6 10 12 12 0.6 0", "LONG 6 11 12 4 0.4 2"]);
    expect(roundTrips(fills).trips[1]?.closedAt).toBeNull();
  });

  it("profit from a short sale that is bought back lower", () => {
    expect(seen([fill(0, "sell", "5", "100"), fill(1, "buy", "5", "90", { fees: "0.5" })])).toEqual([
      "SHORT 5 100 90 50 0.5 0",
    ]);
  });

  it("reverse if more is sold than held: the rest is a separate trade", () => {
    const fills = [
      fill(0, "buy", "10", "100"),
      fill(1, "sell", "15", "110", { fees: "3" }),
      fill(2, "buy", "5", "105"),
    ];
    expect(seen(fills)).toEqual(["LONG 10 100 110 100 2 0", "SHORT 5 110 105 25 1 0"]);
  });

  it("average several exits, and close at the newest", () => {
    const fills = [
      fill(0, "buy", "10", "100"),
      fill(1, "sell", "5", "110", { kind: "take_profit" }),
      fill(2, "sell", "5", "90", { kind: "stop_loss" }),
    ];
    expect(seen(fills)).toEqual(["LONG 10 100 100 0 0 0"]);
    const [trip] = roundTrips(fills).trips;
    expect(trip?.closedAt).toBe(at(2));
    expect(trip?.exits.map(({ kind }) => kind)).toEqual(["take_profit", "stop_loss"]);
  });

  it("separate symbols", () => {
    expect(
      seen([fill(0, "buy", "1", "10"), fill(1, "sell", "1", "20", { symbol: "MSFT" })]).map(
        (text) => text.split(" ")[0],
      ),
    ).toEqual(["LONG", "SHORT"]);
  });

  it("do not start with a stop or target fill, nor with an order placed elsewhere", () => {
    for (const kind of ["stop_loss", "take_profit", "other"] as const) {
      const { trips, unmatched } = roundTrips([fill(0, "sell", "3", "10", { kind })]);
      expect(trips).toEqual([]);
      expect(unmatched).toMatchObject([{ symbol: "AAPL", quantity: "3" }]);
    }
  });

  it("do not start by selling units whose entry is unknown", () => {
    // 8 were held at the preview, none from a recorded trade: 2 are sold short.
    const sold = fill(1, "sell", "10", "10", { held: { quantity: "8", at: at(0) }, fees: "1" });
    expect(roundTrips([sold])).toMatchObject({
      trips: [{ side: "SHORT", quantity: "2", fees: "0.2" }],
      unmatched: [{ order: sold.id, quantity: "8" }],
    });
    // 10 were held, 4 of them from a recorded trade.
    const mixed = [
      fill(0, "buy", "4", "10"),
      fill(2, "sell", "10", "11", { held: { quantity: "10", at: at(1) } }),
    ];
    expect(roundTrips(mixed)).toMatchObject({
      trips: [{ side: "LONG", open: "0", realized: "4" }],
      unmatched: [{ quantity: "6" }],
    });
    // Sold at the time of its preview, whose holding is from a recorded trade.
    const atOnce = [
      fill(0, "buy", "1", "10"),
      fill(1, "sell", "2", "11", { held: { quantity: "1", at: at(1) } }),
    ];
    expect(roundTrips(atOnce)).toMatchObject({ trips: [{ open: "0" }, { side: "SHORT" }], unmatched: [] });
    // The entire holding is from a recorded trade and was sold meanwhile: the second order sells short.
    const twice = [
      fill(0, "buy", "4", "10"),
      fill(2, "sell", "4", "11", { held: { quantity: "4", at: at(1) } }),
      fill(3, "sell", "4", "11", { held: { quantity: "4", at: at(1) } }),
    ];
    expect(roundTrips(twice)).toMatchObject({ trips: [{ side: "LONG" }, { side: "SHORT" }], unmatched: [] });
  });

  it("reconcile with cash flows less fees, and with total units", () => {
    const some = fc.record({
      side: fc.constantFrom("buy" as const, "sell" as const),
      units: fc.integer({ min: 1, max: 50 }),
      cents: fc.integer({ min: 1, max: 20_000 }),
      fee: fc.integer({ min: 0, max: 99 }),
      symbol: fc.constantFrom("AAPL", "MSFT"),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 20 }), (rows) => {
        const fills = rows.map(({ side, units, cents, fee, symbol }, i) =>
          fill(i, side, String(units), String(cents / 100), { fees: String(fee / 100), symbol }),
        );
        const { trips, unmatched } = roundTrips(fills);
        expect(unmatched).toEqual([]);
        const zero = decimal(0);
        const cash = fills.reduce((sum, one) => {
          const value = decimal(one.quantity).times(one.price);
          return sum.plus(one.side === "buy" ? value.times(-1) : value).minus(one.fees);
        }, zero);
        const net = trips.reduce((sum, trip) => sum.plus(netOf(trip)), zero);
        const signed = (trip: (typeof trips)[number]) =>
          decimal(trip.open).times(trip.side === "LONG" ? 1 : -1);
        const tied = trips.reduce((sum, trip) => sum.plus(signed(trip).times(trip.entryPrice)), zero);
        // Cash equals realised profit less the cost of open units.
        expect(truncated(net.minus(tied))).toBe(truncated(cash));
        for (const symbol of ["AAPL", "MSFT"]) {
          const bought = fills.filter((one) => one.symbol === symbol);
          const units = bought.reduce(
            (sum, { side, quantity }) => sum + (side === "buy" ? 1 : -1) * Number(quantity),
            0,
          );
          const open = trips
            .filter((trip) => trip.symbol === symbol)
            .reduce((sum, trip) => sum.plus(signed(trip)), zero);
          expect(open.toNumber()).toBe(units);
        }
      }),
      { numRuns: 300 },
    );
  });
});
