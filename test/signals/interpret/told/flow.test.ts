import { describe, expect, it } from "vitest";
import { toldCongress } from "../../../../src/signals/interpret/told/flow.ts";
import { readerOf } from "../../../../src/signals/interpret/told/reader.ts";

describe("the trades of Congress in a sentence", () => {
  it("count one as one", () => {
    const told = (buying: number, selling: number) =>
      toldCongress(
        readerOf({
          ...{ signal: "NEUTRAL", members: { buying, selling }, from: "2026-01-01", to: "2026-01-15" },
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
});
