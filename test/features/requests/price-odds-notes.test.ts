import { describe, expect, it } from "vitest";
import { priceOddsIn } from "../../../src/features/requests/details/price-odds.ts";
import { priceOddsNotes } from "../../../src/features/requests/price-odds-calls.ts";
import { readQuestion, symbols } from "./parsed-question.ts";

/** A Thursday, 10:00 in New York. */
const NOW = new Date("2026-01-15T15:00:00Z");

const notes = (query: string, figures: Readonly<Record<string, unknown>> | null) => {
  const { mentions, timeframe } = readQuestion(query, symbols);
  const result = { symbol: "AAPL", skill: "get_odds", figures, data: null, error: null };
  return priceOddsNotes({ priceOdds: priceOddsIn(query, mentions), timeframe, asOf: null, now: NOW }, [
    result,
  ]);
};
const odds = (horizon: number, asOf = "2026-01-14T21:00Z") => ({ from: 273.55, horizon, as_of: asOf });

describe("notes on answers of get_odds", () => {
  it("say that a level is on the other side of the last close", () => {
    expect(notes("odds AAPL rises to 250 or 300", odds(20))).toEqual([
      "250 is below the last close of AAPL, 273.55; the odds are of a fall to it",
    ]);
    expect(notes("will AAPL drop to 320", odds(20))).toEqual([
      "320 is above the last close of AAPL, 273.55; the odds are of a rise to it",
    ]);
    expect(notes("odds AAPL hits 250", odds(20))).toEqual([]);
    expect(notes("will AAPL fall 5%", odds(20))).toEqual([]);
  });

  it("say that a date is another number of bars after the last close", () => {
    const query = "odds AAPL hits 300 by Friday";
    // 15 and 16 January
    expect(notes(query, odds(2))).toEqual([]);
    // also 13 and 14 January
    expect(notes(query, odds(2, "2026-01-12T21:00Z"))).toEqual([
      "The odds are for 2 bars after the last close of AAPL at 2026-01-12T21:00Z; the time of the question ends 4 bars after it",
    ]);
    expect(notes("odds AAPL hits 300 in 2 bars", odds(2, "2026-01-12T21:00Z"))).toEqual([]);
  });

  it("are none without an answer or a question on odds", () => {
    expect(notes("odds AAPL rises to 250", null)).toEqual([]);
    expect(notes("price of AAPL", odds(20))).toEqual([]);
  });
});
