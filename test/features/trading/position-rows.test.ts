import { describe, expect, it } from "vitest";
import { PositionRow } from "../../../src/domain/trading/positions.ts";
import type { PositionRecord } from "../../../src/domain/trading/positions-port.ts";
import { positionRow } from "../../../src/features/trading/position-rows.ts";
import type { PositionSignal } from "../../../src/features/trading/position-signals.ts";

const AT = "2026-01-15T15:00:00.000Z";
const CLOSE = "2026-01-14T21:00:00.000Z";
const HOLDER = { connection: "cn_1", label: null, at: AT };
const stored = (over: Partial<PositionRecord> = {}): PositionRecord => ({
  symbol: "AAPL",
  quantity: "10",
  averagePrice: "100.1",
  since: AT,
  opening: null,
  ...over,
});
/** A LONG signal of grade A at a close of 120, stop 110, target 140; at a price, or without one. */
const reading = (price: number | null, over: object = {}): PositionSignal =>
  ({
    reason: null,
    picture: {
      decidedAt: CLOSE,
      consensus: {
        direction: "LONG",
        grade: "A",
        score: 80,
        tier: "STRONG",
        close: 120,
        levels: { side: "LONG", stop: 110, targets: [140] },
        ...over,
      },
      price:
        price === null
          ? { value: null, as_of: null, source: null, reason: "No price of now", quote: null }
          : { value: price, as_of: AT, source: "live_quote", reason: null },
    },
  }) as unknown as PositionSignal;
const row = (position: PositionRecord, said: PositionSignal = reading(121)) =>
  positionRow(position, HOLDER, said);

describe("a position's row", () => {
  it("is left to a person if its signal is stale, whose tier is NEUTRAL", () => {
    const stale = "Stale: the newest closed 1d bar is 9 days old: it closed 2026-01-05T21:00:00.000Z.";
    const against = reading(121, { direction: "SHORT", grade: "F" });
    expect(row(stored(), against).edge.action).toBe("EXIT");
    expect(row(stored(), { ...against, stale } as PositionSignal).edge).toMatchObject({
      action: "REVIEW",
      why: [stale],
      signal: { direction: "SHORT", tier: "NEUTRAL" },
    });
  });

  it("is valued at the price, exact to the cent", () => {
    expect(row(stored())).toMatchObject({
      symbol: "AAPL",
      side: "LONG",
      quantity: "10",
      average_price: "100.1",
      connection_id: "cn_1",
      account_label: null,
      as_of: AT,
      since: AT,
      price: "121",
      price_as_of: AT,
      price_source: "live_quote",
      price_reason: null,
      // 10 x 121, less 10 x 100.1; 209 of 1001
      market_value: "1210",
      unrealized_pnl: "209",
      unrealized_pct: 20.8791,
    });
  });

  it("has no value when it exceeds 15 digits, with the reason", () => {
    const large = { quantity: "1000000000000", averagePrice: "0.5" };
    expect(row(stored(large), reading(90_000))).toMatchObject({
      price: "90000",
      market_value: null,
      unrealized_pnl: null,
      unrealized_pct: null,
      price_reason: "Its value has more than 15 digits",
    });
    expect(row(stored(large), reading(null, { close: 90_000 }))).toMatchObject({
      price_reason: "No price of now; Its value has more than 15 digits",
    });
  });

  it("rounds gains and losses half up to the cent", () => {
    const gain = (price: number) => row(stored({ quantity: "0.5", averagePrice: "100" }), reading(price));
    expect(gain(99.97).unrealized_pnl).toBe("-0.02"); // -0.015
    expect(gain(100.03).unrealized_pnl).toBe("0.02");
    expect(gain(99.98).unrealized_pnl).toBe("-0.01");
  });

  it("loses on a short sale as the price rises", () => {
    // -10 x 121 is owed, 1001 was received
    expect(row(stored({ quantity: "-10" }))).toMatchObject({
      side: "SHORT",
      market_value: "-1210",
      unrealized_pnl: "-209",
      unrealized_pct: -20.8791,
    });
  });

  it("shows no binary rounding errors", () => {
    const position = stored({ quantity: "0.3", averagePrice: "0.1" });
    // 0.3 x 0.7 - 0.3 x 0.1
    expect(row(position, reading(0.7))).toMatchObject({
      price: "0.7",
      market_value: "0.21",
      unrealized_pnl: "0.18",
    });
    const large = stored({ quantity: "123456789.123456789", averagePrice: "0.000000001" });
    expect(row(large, reading(1))).toMatchObject({
      market_value: "123456789.12",
      unrealized_pnl: "123456789",
    });
    expect(row(stored({ averagePrice: "0" })).unrealized_pct).toBeNull();
  });

  it("uses a doubted price, and says why it is doubted", () => {
    const reason = "The price is more than 40% from the decision bar's close";
    const quote = { price: 70, timestamp: AT, price_source: "live_quote" };
    const doubted = reading(121);
    const said = {
      ...doubted,
      picture: { ...doubted.picture, price: { value: null, as_of: null, source: null, reason, quote } },
    } as unknown as PositionSignal;
    expect(row(stored(), said)).toMatchObject({
      price: "70",
      price_source: "live_quote",
      price_reason: reason,
    });
  });

  it("uses the price of a symbol whose signal has no levels", () => {
    const quote = { price: 70, timestamp: AT, price_source: "live_quote" };
    const said = { picture: null, reason: "No levels", quote } as unknown as PositionSignal;
    expect(row(stored(), said)).toMatchObject({ price: "70", price_as_of: AT, price_reason: null });
  });

  it("uses the last close without a current price, with the reason", () => {
    expect(row(stored(), reading(null))).toMatchObject({
      price: "120",
      price_as_of: CLOSE,
      price_source: "last_close",
      price_reason: "No price of now",
      market_value: "1200",
    });
  });

  it("has neither price nor signal when none can be read, with the reason", () => {
    const shown = row(stored(), { picture: null, reason: "Too few bars" });
    expect(shown).toMatchObject({
      price: null,
      price_source: null,
      price_reason: "Too few bars",
      market_value: null,
      unrealized_pnl: null,
      unrealized_pct: null,
      edge: { action: "REVIEW", signal: null, reason: "Too few bars", stop_breached: null },
    });
    expect(PositionRow.safeParse(shown).error).toBeUndefined();
  });

  it("returns the levels only for the side that is held", () => {
    expect(row(stored()).edge.signal).toEqual({
      direction: "LONG",
      grade: "A",
      score: 80,
      tier: "STRONG",
      stop_loss: 110,
      target: 140,
      as_of: CLOSE,
    });
    const short = row(stored({ quantity: "-1" }));
    expect(short.edge).toMatchObject({ action: "EXIT", signal: { stop_loss: null, target: null } });
  });

  it("returns the opening signal with the source and state of its stop", () => {
    const opening: PositionRecord["opening"] = {
      at: CLOSE,
      grade: "A+",
      score: 90,
      stop: 121,
      direction: "LONG",
      stopSource: "order",
    };
    expect(row(stored({ opening })).edge).toMatchObject({
      action: "EXIT",
      stop_breached: true,
      grade_steps: -1,
      why: ["The price 121 is at or below the stop 121 of its order"],
      opening: {
        direction: "LONG",
        grade: "A+",
        score: 90,
        stop_loss: 121,
        stop_source: "order",
        as_of: CLOSE,
      },
    });
  });

  it("names the imported account that holds it", () => {
    const shown = positionRow(stored(), { connection: null, label: "IRA", at: AT }, reading(121));
    expect(shown).toMatchObject({ connection_id: null, account_label: "IRA" });
  });
});
