import { describe, expect, it } from "vitest";
import { toldCongress } from "../../../../src/features/questions/told/flow.ts";
import { readerOf } from "../../../../src/features/questions/told/reader.ts";

describe("the trades of Congress in a sentence", () => {
  it("count one as one", () => {
    const told = (buying: number, selling: number) =>
      toldCongress(
        readerOf({
          signal: "NEUTRAL",
          members: { buying, selling },
          from: "2026-01-01",
          to: "2026-01-15",
          source: "fixture",
        }),
        null,
        false,
      ).sentence;
    expect(told(1, 1)).toBe(
      "Congress is NEUTRAL by filings of 2026-01-01 to 2026-01-15: 1 member was a net buyer and 1 a net seller (fixture).",
    );
    expect(told(2, 0)).toContain(": 2 members were net buyers and 0 net sellers (");
  });

  it("name what is asked for, of what was bought and what was sold", () => {
    const answer = readerOf({
      signal: "BUYING",
      members: { buying: 5, selling: 3 },
      from: "2026-01-01",
      to: "2026-01-15",
      most_bought: [{ ticker: "TSLA", buying: 4, selling: 1 }],
      most_sold: [{ ticker: "DIS", buying: 0, selling: 2 }],
      source: "fixture",
    });
    const told = (query: string, symbol: string | null = null) =>
      toldCongress(answer, symbol, false, { level: null, query }).sentence.split("(fixture).")[1];
    const bought = " Bought by the most members, buyers to sellers: TSLA (4 to 1).";
    const sold = " Sold by the most members, sellers to buyers: DIS (2 to 0).";
    expect(told("what is Congress buying")).toBe(bought);
    expect(told("Congress trades")).toBe(bought);
    expect(told("which stocks does Congress sell")).toBe(sold);
    expect(told("most sold stocks by Congress")).toBe(sold);
    expect(told("is Congress buying or selling")).toBe(`${bought}${sold}`);
    expect(told("Did Pelosi sell Tesla?", "TSLA")).toBe("");
  });
});
