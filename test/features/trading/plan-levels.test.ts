import { describe, expect, it } from "vitest";
import { outsidePlanNote } from "../../../src/features/trading/plan-levels.ts";
import { LONG, tradeBench } from "./bench.ts";

describe("the price of an order", () => {
  it.each([
    [98, "The price 98.00 is beyond the stop 98.00 of the signal, which does not hold there."],
    [98.01, "The price 98.01 is outside the signal's entry zone of 99.50 to 100.50."],
    [99.5, null],
    [100.5, null],
    [103.99, "The price 103.99 is outside the signal's entry zone of 99.50 to 100.50."],
    [104, "The price 104.00 is beyond the first target 104.00 of the signal: the expected move is over."],
  ])("at %d is compared with the levels of a LONG signal", (price, note) => {
    expect(outsidePlanNote(LONG, "buy", price)).toBe(note);
    expect(outsidePlanNote(LONG, "sell", price)).toBeNull();
  });

  it("is compared with the levels of a SHORT signal", () => {
    const short = {
      ...LONG,
      signal: { ...LONG.signal, direction: "SHORT" as const },
      stop: 102,
      target: 96,
    };
    expect(outsidePlanNote(short, "sell", 102)).toMatch(/beyond the stop/);
    expect(outsidePlanNote(short, "sell", 96)).toMatch(/beyond the first target/);
    expect(outsidePlanNote(short, "sell", 100)).toBeNull();
  });

  it("outside the levels is said in the hint of the ticket", async () => {
    const { preview, ports } = await tradeBench();
    const entry = { low: 90, high: 95 };
    const shown = await preview({ quantity: "1" }, { ...LONG, entry });
    expect(shown.hint).toMatch(
      /^The price 100\.00 is outside the signal's entry zone of 90\.00 to 95\.00\. Call execute_trade with ticket_id/,
    );
    const stored = await ports.tradeRepository.ticket("ada", shown.ticket_id!);
    expect(stored?.shown.hint).toBe(shown.hint);
  });

  it("is the market for a limit beyond it, and the trigger of a stop order", async () => {
    const { preview } = await tradeBench();
    const hintOf = async (request: Record<string, unknown>) =>
      (await preview({ quantity: "1", ...request }, LONG)).hint;
    expect(await hintOf({ type: "limit", limit_price: "102" })).toMatch(/^Call execute_trade/);
    expect(await hintOf({ type: "limit", limit_price: "99" })).toMatch(/^The price 99\.00 is outside/);
    expect(await hintOf({ type: "stop", stop_price: "102" })).toMatch(/^The price 102\.00 is outside/);
    expect(await hintOf({ type: "stop_limit", stop_price: "101", limit_price: "103" })).toMatch(
      /^The price 101\.00 is outside/,
    );
  });

  it("older than max_quote_age_seconds gives no ticket", async () => {
    const bench = await tradeBench();
    await bench.setLimits({ max_quote_age_seconds: 60 });
    const old = {
      quotes: {
        ...bench.ports.quotes,
        latest: async (...args: Parameters<typeof bench.ports.quotes.latest>) => ({
          ...(await bench.ports.quotes.latest(...args)),
          timestamp: new Date(bench.clock.now().getTime() - 61_000).toISOString(),
        }),
      },
    };
    expect(await bench.preview({ quantity: "1" }, LONG, "AAPL", old)).toMatchObject({
      ticket_id: null,
      reason: "Refused by max_quote_age_seconds",
    });
  });
});
