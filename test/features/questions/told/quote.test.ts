import { describe, expect, it } from "vitest";
import { toldQuote } from "../../../../src/features/questions/told/quote.ts";
import { readerOf } from "../../../../src/features/questions/told/reader.ts";

const data = {
  price: 1348.8249,
  change: -1.2,
  changePercent: -0.3432,
  volume: 4_301_158,
  low: 1340,
  high: 1351.5,
  open: 1350,
  source: "fixture",
  timestamp: "2026-01-15T14:50:00.000Z",
};
const tell = (over: object = {}) => toldQuote(readerOf({ data: { ...data, ...over } }), "XYZ", false);

describe("a price in a sentence", () => {
  it("leads with the price, its source and its time, then how far it has moved, its day and its volume", () => {
    expect(tell()).toMatchObject({
      figures: { price: 1348.82, source: "fixture", as_of: "2026-01-15T14:50Z" },
      sentence:
        "The price of XYZ is $1,348.82 (fixture, 2026-01-15T14:50Z): down $1.20 (0.34 percent) from the previous close; its day runs from $1,340 to $1,351.50 and opened at $1,350; volume is 4,301,158.",
    });
  });

  it("says what is not known of it, never zero", () => {
    const none = { change: null, changePercent: null, low: null, high: null, open: null, volume: null };
    expect(tell(none).sentence).toBe(
      "The price of XYZ is $1,348.82 (fixture, 2026-01-15T14:50Z): how far it has moved is unknown; volume is unknown.",
    );
    expect(tell({ change: 0 }).sentence).toContain(": unchanged from the previous close; ");
    expect(tell({ price: 0.000012346 }).sentence).toContain(" is $0.00001235 (");
  });
});
