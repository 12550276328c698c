import { describe, expect, it } from "vitest";
import { termsOf, tokensOf } from "../../../src/analytics/news/tokens.ts";
import { nameless } from "../../bench/sentiment/names.ts";

const TITLES = [
  "Shares to rise further: Bluvo Kandrix",
  "Kandrix’s Zolper sees ABCX gains in Plumary",
  "Bluvo-Tenk: shares may fall",
  "May sales rise",
  "Rise of gains",
];
const free = nameless(TITLES);
const termsIn = (title: string) => free(termsOf(tokensOf(title, { own: [], others: [] })));

describe("removal of names from training terms", () => {
  it("drops every term with a word that is only written like a name", () => {
    expect(termsIn(TITLES[0]!)).toEqual([
      ...["shares", "=shar", "to", "rise", "further"],
      ...["<_shares", "shares_to", "to_rise", "rise_further"],
    ]);
    for (const title of TITLES)
      expect(termsIn(title).join(" ")).not.toMatch(/kandrix|bluvo|zolp|plumary|tenk/);
  });

  it("retains words that also start a headline or a name, and abbreviations", () => {
    expect(termsIn("May gains rise: ABCX")).toEqual([
      ...["may", "gains", "=gain", "rise", "abcx"],
      ...["<_may", "may_gains", "gains_rise", "rise_abcx", "abcx_>"],
    ]);
  });

  it("retains a stem that a name shares with another word", () => {
    const both = nameless(["Traded by Quon Quonding", "traded well", "Quons: sell"]);
    expect(both(["=trad", "=quond", "quons", "~quon", "~well"])).toEqual(["=trad", "~well"]);
  });

  it("normalises words as the terms do: without diacritics and possessives", () => {
    expect(nameless(["Vëltron’s day"])(["veltron", "day"])).toEqual(["day"]);
  });
});
