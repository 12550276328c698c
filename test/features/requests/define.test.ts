import { describe, expect, it } from "vitest";
import { definitionsIn } from "../../../src/features/requests/define.ts";
import { GLOSSARY } from "../../../src/features/requests/language/glossary.ts";

const terms = (text: string) => definitionsIn(text).terms.map(({ term }) => term);

describe("the glossary", () => {
  it("contains over 80 terms with unique names", () => {
    const all = GLOSSARY;
    expect(all.length).toBeGreaterThan(80);
    const names = all.flatMap(({ term, also }) => [term.toLowerCase(), ...also]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(all.filter(({ meaning }) => !/^[A-Z].*\.$/.test(meaning) || meaning.length > 200)).toEqual([]);
  });

  it("finds a term by each of its names", () => {
    for (const { term, also } of GLOSSARY)
      for (const name of [term, ...also]) expect(terms(`what is ${name}?`), name).toContain(term);
  });
});

describe("a question about a term", () => {
  it.each([
    ["what is RSI?", ["RSI"]],
    ["explain the put/call ratio please", ["put/call ratio"]],
    ["difference between MACD and RSI", ["MACD", "RSI"]],
    ["what does a golden cross signal?", ["golden cross"]],
    ["what is a stop", ["stop"]],
    ["what's a short squeeze?", ["short squeeze"]],
    ["What does UNDERPRICED mean?", ["UNDERPRICED"]],
    ["what do OVERPRICED and FAIR mean", ["OVERPRICED"]],
    ["what does HOT mean", ["HOT"]],
    ["what is actionability", ["actionability"]],
  ])("is answered by the named terms: %s", (text, expected) => {
    expect(definitionsIn(text)).toMatchObject({ exact: true });
    expect(terms(text)).toEqual(expected);
  });

  it("is answered by the closest term when misspelt", () => {
    expect(definitionsIn("what are bolinger bands")).toMatchObject({
      exact: false,
      terms: [{ term: "Bollinger bands" }],
    });
    expect(definitionsIn("what is the sharp ratio")).toMatchObject({ terms: [{ term: "Sharpe ratio" }] });
  });

  it("is answered by no term when none is close", () => {
    expect(definitionsIn("what is the capital of France")).toEqual({ terms: [], exact: false });
    expect(definitionsIn("")).toEqual({ terms: [], exact: false });
    // a misspelt name is searched only among the first words
    expect(definitionsIn(`${"word ".repeat(39)}stochstic`).terms).toMatchObject([{ term: "stochastic" }]);
    expect(definitionsIn(`${"word ".repeat(40)}stochstic`).terms).toEqual([]);
  });
});
