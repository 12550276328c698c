import { expect, it } from "vitest";
import { parseLimits } from "../../../src/features/trading/parse-limits.ts";
import { smallMarket } from "../../support/market.ts";

const { symbols } = smallMarket().ports;

it("rejects a name shared by two instruments unless the asset class is given", () => {
  expect(() => parseLimits(["symbols=AAPL,LINK"], symbols)).toThrow(
    expect.objectContaining({
      code: "INVALID_INPUT",
      message: 'symbols cannot be "AAPL,LINK": "LINK" does not name one instrument',
      hint: expect.stringMatching(/^Choose one: LINK(-USD)?:\w+, LINK(-USD)?:\w+\.$/),
    }),
  );
  expect(parseLimits(["symbols=AAPL, LINK:crypto,link:equity,LINK-USD"], symbols)).toEqual({
    symbols: ["AAPL", "LINK-USD", "LINK"],
  });
  expect(() => parseLimits(["symbols=AAPL:crypto"], symbols)).toThrow(/does not name one instrument/);
});

it("allows order values up to ten times the equity, and at most 100% for other limits", () => {
  expect(parseLimits(["max_notional_pct=1000"], symbols)).toEqual({ max_notional_pct: "1000" });
  expect(parseLimits(["max_notional_pct=none"], symbols)).toEqual({ max_notional_pct: null });
  for (const [term, max] of [
    ["max_notional_pct=1000.1", 1_000],
    ["max_notional_pct=999999", 1_000],
    ["max_open_risk_pct=100.1", 100],
  ] as const)
    expect(() => parseLimits([term], symbols)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`at most ${max}`) }),
    );
});

it("takes percentage points from 0 to 100 for the odds of stop over target", () => {
  const parse = (text: string) => parseLimits([`max_stop_over_target_points=${text}`], symbols);
  for (const text of ["0", "12.5", "100"]) expect(parse(text)).toEqual({ max_stop_over_target_points: text });
  expect(parse("none")).toEqual({ max_stop_over_target_points: null });
  for (const text of ["-1", "100.1", "ten", ""])
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("from 0 to 100") }),
    );
});
