import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sizeByQuantity, sizeByRisk } from "../../../src/analytics/sizing/by-risk.ts";
import type { SizingInput } from "../../../src/analytics/sizing/units.ts";

const testAccount = (changes: Partial<SizingInput> = {}): SizingInput => ({
  equity: "100000",
  atRisk: "0",
  entry: "100",
  stop: "90",
  step: "1",
  ...changes,
});

describe("sizeByRisk", () => {
  it("risks the requested percentage between entry and stop, for both directions", () => {
    expect(sizeByRisk(testAccount(), "0.5")).toMatchObject({
      quantity: "50",
      atRisk: "500",
      boundBy: "requested",
    });
    expect(sizeByRisk(testAccount({ stop: "110" }), "0.5").quantity).toBe("50");
  });

  it("limits risk per trade to 1 %, notional to 10 %, total risk to 6 %, and reports the binding limit", () => {
    expect(sizeByRisk(testAccount({ stop: "80" }), "3")).toMatchObject({ quantity: "50", boundBy: "trade" });
    expect(sizeByRisk(testAccount({ stop: "99" }), "0.5")).toMatchObject({
      quantity: "100",
      boundBy: "notional",
    });
    expect(sizeByRisk(testAccount({ atRisk: "5800" }), "0.5")).toMatchObject({
      quantity: "20",
      boundBy: "open",
    });
    expect(sizeByRisk(testAccount({ atRisk: "6000" }), "0.5").reason).toBe(
      "open trades already use the limit on open risk: 6 % of equity",
    );
  });

  it("gives a reason if there is no trade", () => {
    expect(sizeByRisk(testAccount(), "0").reason).toBe("risk_pct must be above 0, not 0");
    expect(sizeByRisk(testAccount({ equity: "0" }), "1").reason).toBe("there is no equity: 0 USD");
    expect(sizeByRisk(testAccount({ stop: "100" }), "1").reason).toMatch("the stop equals the entry");
    expect(sizeByRisk(testAccount({ equity: "500" }), "1").reason).toBe(
      "the smallest order, 1, exceeds the limit on risk",
    );
    expect(() => sizeByRisk(testAccount({ entry: "0" }), "1")).toThrow(RangeError);
  });

  it("never exceeds the caps in risk or notional, while one step more would", () => {
    const cents = (max: number) => fc.integer({ min: 1, max }).map((n) => `${n / 100}`);
    fc.assert(
      fc.property(
        cents(1e9),
        cents(1e6),
        cents(1e6),
        cents(500),
        fc.constantFrom("1", "0.001"),
        (equity, entry, stop, percent, step) => {
          const { quantity, boundBy } = sizeByRisk(testAccount({ equity, entry, stop, step }), percent);
          if (quantity === null) return;
          const [units, one] = [Number(quantity), Number(step)];
          const risk = Math.abs(Number(entry) - Number(stop));
          const most = Math.min(Number(percent) / 100, 0.01) * Number(equity);
          const fits = (u: number, slack: number) =>
            u * risk <= most * (1 + slack) && u * Number(entry) <= 0.1 * Number(equity) * (1 + slack);
          expect(fits(units, 1e-9)).toBe(true);
          expect(fits(units + one, -1e-9), `${boundBy}`).toBe(false);
        },
      ),
    );
  });
});

describe("sizeByQuantity", () => {
  const one = { entry: "50", step: "1", stop: "45" };
  it("uses the requested quantity unchanged", () => {
    expect(sizeByQuantity(one, "3")).toMatchObject({ quantity: "3", atRisk: "15" });
    expect(sizeByQuantity({ ...one, stop: null }, "3").atRisk).toBe("150");
    expect(sizeByQuantity({ ...one, step: "0.001" }, "0.125").quantity).toBe("0.125");
  });

  it("rejects an invalid quantity instead of rounding it", () => {
    expect(sizeByQuantity(one, "2.5").reason).toBe("quantity 2.5 is not a multiple of 1; use 2");
    expect(sizeByQuantity(one, "0.5").reason).toBe("quantity 0.5 is not a multiple of 1; use 1");
    expect(sizeByQuantity(one, "-1").reason).toBe("quantity must be above 0, not -1");
  });
});
