import { expect, it } from "vitest";
import type { Situation } from "../../../src/analytics/risk/situation.ts";
import { maximumLoss } from "../../../src/features/trading/maximum-loss.ts";
import { intent } from "../../providers/broker-contract.ts";

const situation = (side: "buy" | "sell", quantity: string, stop: string | null): Situation => ({
  intent: intent("BTC-USD", { side, quantity, stop_loss: stop }),
  assetClass: "equity",
  accountType: "paper",
  killSwitch: false,
  now: 0,
  price: "100",
  pricedAt: 0,
  session: "regular",
  tick: "0.01",
  offStep: [],
  step: "0.000000001",
  held: "0",
  shorting: true,
  riskAUnit: null,
  equity: "1000",
  buyingPower: "1000",
  openRisk: "0",
  equityBefore: "1000",
  equityPeak: "1000",
  orders: [],
  stopOuts: [],
});

it("states that fees and slippage are excluded, and has no loss for closing orders", () => {
  const basis = (...of: Parameters<typeof situation>) => maximumLoss(situation(...of)).basis;
  expect(basis("buy", "1", "95")).toBe("quantity x price, if the price falls to 0; before fees and slippage");
  expect(basis("sell", "1", "105")).toMatch(
    /^The loss of a short sale has no upper bound; before fees and slippage$/,
  );
  expect(basis("sell", "1", null)).toMatch(/^The loss of a short sale has no upper bound$/);
  expect(maximumLoss({ ...situation("sell", "1", null), held: "2" })).toEqual({
    at_stop: null,
    worst: null,
    basis: "The order only closes a held position",
  });
});

it("rounds a loss up to the next cent", () => {
  // 0.00001 x 5 and x 100
  expect(maximumLoss(situation("buy", "0.00001", "95"))).toMatchObject({ at_stop: "0.01", worst: "0.01" });
  expect(maximumLoss(situation("buy", "1.00001", "95"))).toMatchObject({ at_stop: "5.01", worst: "100.01" });
  expect(maximumLoss(situation("sell", "1.00001", "105"))).toMatchObject({ at_stop: "5.01", worst: null });
  expect(maximumLoss(situation("buy", "2", "95"))).toMatchObject({ at_stop: "10", worst: "200" });
});
