import { describe, expect, it } from "vitest";
import { createDirectory } from "../../../../src/market/symbols/directory.ts";
import { readMentions } from "../../../../src/market/symbols/mentions/read-mentions.ts";
import { LISTINGS } from "../../../../src/providers/sample/listing.ts";

const sample = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });
const HELD = ["A", "AAPL", "IT", "ARE", "ALL", "ON"];
const files = createDirectory({ members: HELD.map((symbol) => sample.find(symbol)!.instrument) });
const read = (query: string, symbols = files) => {
  const { mentions, unresolved } = readMentions(query, symbols);
  return [mentions.map(({ instrument }) => instrument.symbol).join(" "), unresolved.join(" ")];
};

describe("a ticker in capitals that is a word", () => {
  it.each([
    ["compare A with AAPL", "A AAPL", ""],
    ["compare AAPL to A", "AAPL A", ""],
    ["AAPL against A", "AAPL A", ""],
    ["should I buy IT", "", "IT"],
    ["should I sell ARE", "", "ARE"],
    ["what is ALL doing", "", "ALL"],
    ["IT price", "", "IT"],
    ["ON earnings", "", "ON"],
    ["tell me NOW about AAPL", "AAPL", ""],
    ["ALL signals with grade A", "", ""],
    ["what should I do now with it", "", ""],
    ["WHAT SHOULD I BUY NOW", "", ""],
  ])("is named, or said not to be known: %s", (query, symbols, unresolved) => {
    expect(read(query)).toEqual([symbols, unresolved]);
  });

  it("counts where the market does not hold it only if it is spoken of as a ticker is", () => {
    expect(read("ON earnings", sample)).toEqual(["", "ON"]);
    expect(read("should I buy IT", sample)).toEqual(["", ""]);
  });
});
