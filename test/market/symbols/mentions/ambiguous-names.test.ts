import { describe, expect, it } from "vitest";
import { createLiveDirectory } from "../../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../../src/market/symbols/listings.ts";
import { readMentions } from "../../../../src/market/symbols/mentions/read-mentions.ts";

const { symbols } = createLiveDirectory({ listings: embeddedListings() });
const read = (text: string) => {
  const { mentions, unresolved } = readMentions(text, symbols);
  return [
    ...mentions.map(({ instrument }) => instrument.symbol),
    ...unresolved.map((word) => `?${word}`),
  ].join(" ");
};

describe("a ticker or name that is a word of talk too", () => {
  it.each([
    ["A vs T", "A T"],
    ["T vs A", "T A"],
    ["A or T?", "A T"],
    ["compare A and T", "A T"],
    ["Is A a good stock", "A"],
    ["what does A do", "A"],
    ["how is A doing", "A"],
    ["how is ON doing today", "ON"],
    ["Is IT going up?", "IT"],
    ["is ON a buy", "ON"],
    ["how are ARE and LOW doing", "ARE LOW"],
    ["is target a buy", "TGT"],
    ["is gap a good investment", "GAP"],
    ["should i buy target", "TGT"],
    ["is best buy a buy", "BBY"],
    ["NOW vs CRM", "NOW CRM"],
    ["how is now vs crm", "NOW CRM"],
    ["cat earnings", "CAT"],
    ["did cat beat estimates", "CAT"],
  ])("is meant where one is judged or set against another: %s", (question, expected) => {
    expect(read(question)).toBe(expected);
  });

  it.each([
    ["is NOW a good time to buy", ""],
    ["how is IT going", ""],
    ["how is IT doing", ""],
    ["A good stock is hard to find", ""],
    ["what is the best buy", ""],
    ["is energy a buy", ""],
    ["how are YOU doing", ""],
    ["AAPL now vs IBM", "AAPL IBM"],
    ["AAPL vs IBM now", "AAPL IBM"],
    ["AAPL vs all of tech", "AAPL"],
    ["Did Microsoft beat earnings last quarter?", "MSFT"],
    ["did microsoft raise guidance", "MSFT"],
    ["did nvidia miss earnings", "NVDA"],
    ["does coke pay a dividend", "KO"],
    ["recession odds", ""],
    ["Show Me Unusual Options Flow", ""],
  ])("is a word elsewhere: %s", (question, expected) => {
    expect(read(question)).toBe(expected);
  });
});

describe("a word alone", () => {
  it.each([
    ["appl", "AAPL"],
    ["gogle", "GOOGL"],
    ["tesal", "TSLA"],
    ["goggle", "?goggle"],
    ["modern", "?modern"],
    ["soft", ""],
    ["iran", ""],
    ["interest", ""],
    ["recession", ""],
    ["portfolio", ""],
    ["thanks", ""],
    ["qwerty", ""],
  ])("is set right, or named as not known where it is near a name: %s", (question, expected) => {
    expect(read(question)).toBe(expected);
  });
});
