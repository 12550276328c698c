import { describe, expect, it } from "vitest";
import { contractMatcher } from "../../../src/features/prediction-markets/contract-match.ts";
import { directoryOf } from "../../support/market.ts";

const symbols = directoryOf(["META", "AAPL", "MSTR", "BTC-USD", "BCH-USD", "LINK-USD", "V", "DIA"]);
const read = (name: string, question: string, event_title = "") => {
  const match = contractMatcher(symbols.resolve(name).instrument, symbols);
  const { about, linked } = match({ question, event_title });
  return `${about ? "about" : "other"}${linked ? " linked" : ""}`;
};

describe("the subject of a contract", () => {
  it.each([
    ["META", "Will Meta Platforms, Inc. (META) hit (HIGH) $660 Week of August 17 2026?", "about linked"],
    ["META", "Will Meta Platforms, Inc. (META) hit (LOW) $590 Week of August 17 2026?", "about linked"],
    ["META", "Meta (META) Up or Down on August 19?", "about linked"],
    ["META", "Will Facebook be down in August?", "about linked"],
    ["META", "Will Metaplanet buy more?", "other"],
    ["META", "Will the metaverse be a thing?", "other"],
    ["AAPL", "Will Apple release a foldable phone?", "about linked"],
    ["AAPL", "Will AAPL pass Microsoft?", "about"],
    ["BTC", "Will Bitcoin hit $150k by December 31?", "about linked"],
    ["BTC", "Will Bitcoin Cash hit $1,000?", "other"],
    ["BTC", "Will BTC be above $100,000 on August 20?", "about linked"],
    ["BTC", "Will BTC-USD be above $100,000 on August 20?", "about linked"],
    ["BTC", "Will $MSTR hit $500 when Bitcoin does?", "about"],
    ["V", "Will $V be above $480 on November 30, 2026?", "about linked"],
    ["V", "Who will win Rocky V?", "other"],
    ["META", "Will the Fed cut rates?", "other"],
    ["DIA", "Will DIA be above $560 on November 30, 2026?", "about linked"],
  ])("%s in %j is %s", (name, question, expected) => {
    expect(read(name, question)).toBe(expected);
  });

  it("may be in the event title when the question names none", () => {
    expect(read("BTC", "$74,300 or above?", "Bitcoin price on Jul 25, 2026?")).toBe("about linked");
    expect(read("BTC", "Will Microsoft buy some?", "What about Bitcoin?")).toBe("about");
  });

  it("is another one when the text names an unknown ticker", () => {
    expect(read("META", "Will $ZZZZQX beat Meta?")).toBe("other");
    expect(read("META", "Will $ZZZZQX beat (META)?")).toBe("about linked");
  });
});
