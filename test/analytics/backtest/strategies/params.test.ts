import { describe, expect, it } from "vitest";
import {
  type NamedStrategy,
  paramsOf,
  STRATEGY_TABLE,
} from "../../../../src/analytics/backtest/strategies/table.ts";
import { STRATEGIES } from "../../../../src/domain/backtest/strategies.ts";

const messages = (name: NamedStrategy, given: object): readonly string[] => {
  const checked = paramsOf(name, given as Readonly<Record<string, unknown>>);
  return "problems" in checked
    ? checked.problems.map(({ path, message }) => `${path.join(".")}: ${message}`)
    : [];
};

describe("strategy parameters", () => {
  it("are defined for every strategy except rules", () => {
    expect([...Object.keys(STRATEGY_TABLE), "rules"]).toEqual([...STRATEGIES]);
  });

  it("have their default if omitted", () => {
    expect(paramsOf("sma_cross", { fast: 10 })).toEqual({ params: { fast: 10, slow: 200, side: "both" } });
    expect(paramsOf("buy_hold", {})).toEqual({ params: {} });
  });

  it("have defaults within their own limits", () => {
    for (const name of Object.keys(STRATEGY_TABLE) as NamedStrategy[]) {
      const checked = paramsOf(name, {});
      expect(checked).toHaveProperty("params");
      if ("params" in checked) expect(paramsOf(name, checked.params)).toEqual(checked);
    }
  });

  it("report all errors at once, with the allowed values", () => {
    expect(messages("macd", { fats: 3, fast: 0, slow: 2.5, signal: "9", side: "up" })).toEqual([
      'params.fats: "fats" is not a parameter of the strategy, did you mean fast? Parameters: fast, slow, signal, side',
      "params.fast: fast must be a whole number from 1 to 500",
      "params.slow: slow must be a whole number from 2 to 500",
      "params.signal: signal must be a whole number from 1 to 500",
      "params.side: side must be one of long, both",
    ]);
    expect(messages("buy_hold", { x: 1 })).toEqual([
      'params.x: "x" is not a parameter: the strategy has none',
    ]);
    expect(messages("rsi_reversion", { low: Number.NaN, high: 100, period: null })).toEqual([
      "params.period: period must be a whole number from 2 to 500",
      "params.low: low must be a number from 1 to 99",
      "params.high: high must be a number from 1 to 99",
    ]);
  });

  it("reject invalid combinations", () => {
    expect(messages("sma_cross", { fast: 50, slow: 50 })).toEqual([
      "params.fast: fast must be less than slow (50), not 50",
    ]);
    expect(messages("rsi_reversion", { low: 80 })).toEqual([
      "params.low: low must be less than high (70), not 80",
    ]);
    expect(messages("signal", { enter: "C", exit: "B" })).toEqual([
      "params.exit: exit must be a worse grade than enter (C)",
    ]);
  });

  it("treat names such as __proto__ and constructor as unknown", () => {
    expect(messages("sma_cross", JSON.parse('{"__proto__": 1, "constructor": 2}'))).toHaveLength(2);
  });
});
