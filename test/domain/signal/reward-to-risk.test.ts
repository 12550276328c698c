import { expect, it } from "vitest";
import { formatRewardToRisk } from "../../../src/domain/signal/reward-to-risk.text.ts";

it("a ratio of hundredths is printed as it is", () => {
  const ratios = Array.from({ length: 2_000 }, (_, i) => (i + 1) / 100);
  // 100 x 2.26 is 225.99999999999997
  expect(ratios.filter((ratio) => Number(formatRewardToRisk(ratio)) !== ratio)).toEqual([]);
});

it("any other ratio is rounded down", () => {
  expect([1.499, 1.4999, 0.009].map(formatRewardToRisk)).toEqual(["1.49", "1.49", "0.00"]);
});
