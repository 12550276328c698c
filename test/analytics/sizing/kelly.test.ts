import { describe, expect, it } from "vitest";
import { sizeByKelly, type TradeRecord } from "../../../src/analytics/sizing/kelly.ts";
import type { Size, SizingInput } from "../../../src/analytics/sizing/units.ts";

const testAccount = (changes: Partial<SizingInput> = {}): SizingInput => ({
  equity: "100000",
  atRisk: "0",
  entry: "100",
  stop: "90",
  step: "1",
  ...changes,
});
const record = (changes: Partial<TradeRecord> = {}): TradeRecord => ({
  n: 2_000,
  win_rate: 0.6,
  mean_win_r: 1.5,
  mean_loss_r: -1,
  ...changes,
});
const planned = { planned: 2 };
const figureOf = ({ steps }: Size, name: string) => steps.find((row) => row.step === name)?.value;

describe("sizeByKelly", () => {
  // n_eff 100, z 1.959964: (.6 + .0192073 - 1.959964 x sqrt(.0024 + .00009604)) / 1.0384146 = .5020025
  it("risks a quarter of Kelly from the lower bound of the record, capped at 1 %", () => {
    const size = sizeByKelly(testAccount(), record(), planned);
    expect(size.steps.map(({ step, value }) => [step, value])).toEqual([
      ["trades", "2000"],
      ["win_rate", "0.6"],
      ["effective_n", "100"],
      ["p", "0.502002"],
      ["b", "1.5"],
      ["kelly", "0.170004"],
      ["share", "0.042501"],
      ["risk_wanted", expect.stringMatching(/^4250\.1\d*$/)],
      ["risk_cap", "1000"],
      ["open_risk_room", "6000"],
      ["risk", "1000"],
      ["risk_a_unit", "10"],
      ["units_by_risk", "100"],
      ["units_by_notional", "100"],
      ["quantity", "100"],
    ]);
    expect(size).toMatchObject({ quantity: "100", atRisk: "1000", boundBy: "trade", reason: null });
  });

  it("risks less for a smaller fraction", () => {
    // .01 x .1700042 of 100,000 is 170.004 at risk: 17 units of 10.
    expect(sizeByKelly(testAccount(), record(), { planned: 2, fraction: 0.01 })).toMatchObject({
      quantity: "17",
      atRisk: "170",
      boundBy: "requested",
    });
  });

  it("is 0 without a record, using even odds, with a reason", () => {
    const size = sizeByKelly(testAccount(), record({ n: 0, win_rate: null, mean_win_r: null }), planned);
    expect(size).toMatchObject({
      quantity: null,
      reason: "no such trades are on record yet, so Kelly is 0",
    });
    expect(size.steps.map(({ step, value }) => [step, value])).toEqual([
      ["trades", "0"],
      ["b", "2"],
      ["p", "0.333333"],
      ["kelly", "0"],
    ]);
  });

  it("returns no quantity if the record shows no edge", () => {
    // The same rate over 20 trades counts as a single one: its lower bound is far below even odds.
    const size = sizeByKelly(testAccount(), record({ n: 20 }), planned);
    expect(size.quantity).toBeNull();
    expect(size.reason).toMatch(/^Kelly is -0\.\d{6}, not above 0: the record shows no edge$/);
    expect(sizeByKelly(testAccount(), record({ win_rate: 0, mean_win_r: null }), planned).reason).toBe(
      "none of 2000 trades won",
    );
  });

  it("uses the lower bound alone if no trade lost", () => {
    const size = sizeByKelly(testAccount(), record({ win_rate: 1, mean_loss_r: null }), planned);
    // 100 / (100 + 3.841459) = .963007
    expect(figureOf(size, "kelly")).toBe("0.963006");
    expect(figureOf(size, "b")).toBeUndefined();
  });

  it.each([0, -0])("treats a mean loss of %d as no losing trades", (mean_loss_r) => {
    const size = sizeByKelly(testAccount(), record({ mean_loss_r }), planned);
    expect(size).toEqual(sizeByKelly(testAccount(), record({ mean_loss_r: null }), planned));
    expect([figureOf(size, "kelly"), figureOf(size, "b")]).toEqual(["0.502002", undefined]);
  });
});
