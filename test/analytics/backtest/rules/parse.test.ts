import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRules } from "../../../../src/analytics/backtest/rules/parse.ts";
import { OPERATORS } from "../../../../src/analytics/backtest/rules/plan.ts";
import { PHASES } from "../../../../src/analytics/backtest/rules/terms.ts";
import type { BacktestRules } from "../../../../src/domain/backtest/backtest.ts";
import { WyckoffPhase } from "../../../../src/domain/signal/structure.ts";

const messages = (rules: BacktestRules): readonly string[] => {
  const parsed = parseRules(rules);
  return "problems" in parsed
    ? parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`)
    : [];
};
/** The error for a single condition, without its location. */
const wrong = (text: string): string => {
  const [first = "", ...rest] = messages({ entry: { all: [text] } });
  expect(rest).toEqual([]);
  return first.replace("entry.all.0: At character ", "");
};

describe("parsed rules", () => {
  it("become a plan that lists each term once, with its parameters", () => {
    expect(
      parseRules({
        entry: { all: ["sma(10) crosses_above sma", "Close > SMA(10)"], none: ["grade <= d+"] },
        exit: { any: ["rsi(14)>=70", "rsi < -1.5"] },
        stop: "2 atr",
        target: "5%",
      }),
    ).toEqual({
      plan: {
        terms: [
          { name: "sma", args: [10] },
          { name: "sma", args: [20] },
          { name: "close", args: [] },
          { name: "grade", args: [] },
          { name: "rsi", args: [14] },
        ],
        entry: {
          all: [
            { left: { term: 0 }, op: "crosses_above", right: { term: 1 } },
            { left: { term: 2 }, op: ">", right: { term: 0 } },
          ],
          any: [],
          none: [{ left: { term: 3 }, op: "<=", right: { number: 4 } }],
        },
        exit: {
          all: [],
          any: [
            { left: { term: 4 }, op: ">=", right: { number: 70 } },
            { left: { term: 4 }, op: "<", right: { number: -1.5 } },
          ],
          none: [],
        },
        side: "long",
        stop: { unit: "atr", value: 2 },
        target: { unit: "%", value: 5 },
      },
    });
  });

  it("report all errors at once, each with its location", () => {
    expect(
      messages({
        entry: { all: ["close > 1", "clse > sma(50)"], any: ["smaa(5) < emma(5)"] },
        exit: {},
        stop: "2 pips",
        target: "0 %",
      }),
    ).toEqual([
      'entry.all.1: At character 1: "clse" is not a term, did you mean close?',
      'entry.any.0: At character 1: "smaa" is not a term, did you mean sma?',
      'entry.any.0: At character 11: "emma" is not a term, did you mean ema?',
      "exit: exit requires at least one condition, such as close crosses_above sma(50)",
      "stop: stop must be a distance such as 2 atr or 5 %: above 0, at most 50 atr or 99 %",
      "target: target must be a distance such as 2 atr or 5 %: above 0, at most 50 atr or 1000 %",
    ]);
  });

  it.each([
    ["close above 5", '7: "above" is not an operator: one of < <= > >= = != crosses_above crosses_below'],
    ["close cross_above 5", /^7: "cross_above" is not an operator, did you mean crosses_above\?/],
    ["close == 5", /^7: "==" is not an operator, did you mean [<>!]?=\?/],
    ["close", /^6: an operator is missing: one of </],
    ["", /^1: a term is missing: use a number/],
    ["close >", /^8: a term is missing/],
    ["close > 5 5", '11: unexpected "5": a condition is left, operator, right'],
    ["close > $5", '9: "$" is not allowed in a condition'],
    ["close > )", /^9: "\)" is not a term: use a number/],
    ["close > 1.2.3", /^9: "1\.2\.3" is not a term/],
    ["sma() > 5", "5: arguments must be numbers separated by commas"],
    ["sma(close) > 5", "5: arguments must be numbers separated by commas"],
    ["bb_upper(5,) < 5", "12: arguments must be numbers separated by commas"],
    ["sma(5", '4: "(" after sma is not closed'],
    ["sma(", '4: "(" after sma is not closed'],
    ["sma(5 > 5", '4: "(" after sma is not closed'],
    ["(sma(5) > 5", /^1: conditions are not grouped by "\("/],
    ["sma(5) > 5)", '11: ")" closes no "("'],
    ['grade >= "B', "10: names and words have no quotes, such as grade >= B"],
    ["close > 5 and", '11: a condition is missing after "and"'],
    ["or close > 5", /^1: a term is missing before "or"/],
    ["close > and", /^9: a term is missing before "and"/],
    ["sma(5,6) > 5", "1: sma takes at most one argument"],
    ["close(5) > 5", "1: close takes no arguments"],
    ["score(5) > 5", "1: score takes no arguments"],
    ["5(5) < close", "1: a number takes no arguments"],
    ["sma(0) > 5", "1: argument 1 of sma must be a whole number from 1 to 500, not 0"],
    ["bb_upper(20,0) < 5", "1: argument 2 of bb_upper must be a number from 0.1 to 20, not 0"],
    ["macd(26,12,9) > 0", "1: the first argument of macd must be less than the second"],
    [
      "range_position(61) < 0",
      /^1: argument 1 of range_position must be a whole number from 1 to 60, not 61$/,
    ],
    ["close > 5 OR close < 2", '11: unexpected "OR": conditions are joined by and, or by or, not by both'],
    ["odds(stop) < 0.3", "1: odds is known only for the rows of a nightly run: use it in the screener"],
    ["close > odds", "9: odds is known only for the rows of a nightly run: use it in the screener"],
    ["1 < 2", "1: a comparison of two numbers never changes; use a term on one side"],
    ["grade > E", /^9: grade must be compared with one of A\+, A, A-, B\+/],
    ["grade crosses_above B", "7: grade only allows < <= > >= = !="],
    ["phase >= Markup", "7: phase only allows = !="],
    ["phase = Markups", /Undetermined, did you mean Markup\?$/],
    ["direction = UP", "13: direction must be compared with one of LONG, SHORT, WAIT"],
    ["close > grade", "9: grade must be on the left and compared with one of its values"],
    ["constructor > 5", /^1: "constructor" is not a term: one of open, high/],
    ["__proto__ > 5", /^1: "__proto__" is not a term: one of open, high/],
    ["toString(5) > 5", /^1: "toString" is not a term: one of open, high/],
  ])("%s is refused", (text, message) => {
    if (typeof message === "string") expect(wrong(text)).toBe(message);
    else expect(wrong(text)).toMatch(message);
  });

  it("are limited to 20 conditions in total and 60 characters each", () => {
    const many = new Array<string>(11).fill("close > 1");
    expect(messages({ entry: { all: many }, exit: { any: many } })).toEqual([
      ": At most 20 conditions are allowed, not 22",
    ]);
    expect(messages({ entry: { all: many.slice(1) }, exit: { any: many.slice(1) } })).toEqual([]);
    expect(wrong(`close > 1${" ".repeat(52)}`)).toBe("61: a condition has at most 60 characters");
    expect(messages({ entry: { all: [`close > 1${" ".repeat(51)}`] } })).toEqual([]);
  });

  it("accept the phases defined in the domain", () => {
    expect(PHASES).toEqual(WyckoffPhase.options);
  });

  it("never throw for any text, and always report a position inside it", () => {
    const names = ["close", "sma(50)", "macd(1,2", "grade", "B+", "phase", "__proto__"];
    const signs = ["(", ")", ",", "-", "1e9", ".", " ", "\n", "\u0000", "é", "🙂"];
    const piece = fc.constantFrom(...names, ...signs, ...OPERATORS);
    const text = fc.oneof(
      fc.string({ maxLength: 70 }),
      fc.string({ unit: "binary", maxLength: 70 }),
      fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(" ")),
    );
    const group = fc.record({ all: fc.array(text, { maxLength: 3 }), any: fc.array(text, { maxLength: 3 }) });
    fc.assert(
      fc.property(group, group, text, text, (entry, exit, stop, target) => {
        const parsed = parseRules({ entry, exit, stop, target });
        if ("plan" in parsed) return;
        for (const { path, message } of parsed.problems) {
          const character = /^At character (\d+): /.exec(message);
          if (character === null) continue;
          const [part, name, i] = path as ["entry" | "exit", "all" | "any", number];
          const written = { entry, exit }[part][name][i]!;
          expect(Number(character[1])).toBeGreaterThan(0);
          expect(Number(character[1])).toBeLessThanOrEqual(written.length + 1);
        }
      }),
    );
  });
});
