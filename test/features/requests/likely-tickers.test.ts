import { describe, expect, it } from "vitest";
import { likelyTickers } from "../../../src/features/requests/likely-tickers.ts";
import { symbols } from "./parsed-question.ts";

const read = (query: string, which: "all" | "first" = "all") =>
  likelyTickers(query, symbols, which).map(({ instrument }) => instrument.symbol);

describe("the lower-case tickers of a request", () => {
  it.each([
    ["get into ge", ["GE"]],
    ["f 10 dollar calls", ["F"]],
    ["is it so", []],
    ["news tmrw", []],
    ["see my car", []],
    ["how are you all", []],
  ])("of '%s' are %j", (query, tickers) => {
    expect(read(query)).toEqual(tickers);
  });

  it("beside others are only a single letter at the beginning", () => {
    expect(read("v or ma or axp", "first")).toEqual(["V"]);
    expect(read("ge or ma", "first")).toEqual([]);
  });

  it("are not read in a long request", () => {
    expect(read(`ge ${"and then some more words ".repeat(3)}`)).toEqual([]);
  });
});
