import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { priceStep, priceStepFault } from "../../../src/domain/trading/price-step.ts";
import { decimal, roundHalfUp } from "../../../src/lib/decimal.ts";

describe("the price step of an order", () => {
  it.each([
    ["150.005", "equity", ["150.00", "150.01"]],
    ["1.001", "etf", ["1.00", "1.01"]],
    ["0.99995", "equity", ["0.9999", "1.0000"]],
    ["0.00004", "equity", ["0.0001"]],
    ["60000.123", "crypto", ["60000.12", "60000.13"]],
    ["0.00001234567", "crypto", ["0.000012345", "0.000012346"]],
  ] as const)("lies between %s (%s) and its neighbours", (limit_price, kind, nearest) => {
    const fault = priceStepFault({ limit_price }, kind);
    expect(fault).toMatchObject({ field: "limit_price", nearest });
    for (const one of nearest) expect(priceStepFault({ limit_price: one }, kind)).toBeNull();
  });

  it("is held by every price of an order, and named with its rule", () => {
    expect(
      priceStepFault({ limit_price: "10.5", stop_price: null, stop_loss: "9.999" }, "equity")?.reason,
    ).toBe(
      "stop_loss 9.999 is not on a price step: stocks and funds at 1 USD or more trade in whole cents (SEC Rule 612). The nearest valid prices are 9.99 and 10.00",
    );
    for (const field of ["limit_price", "stop_price", "stop_loss", "take_profit"])
      expect(priceStepFault({ [field]: "12.345" }, "equity")).toMatchObject({ field });
    expect(priceStepFault({ limit_price: "0.6013" }, "equity")).toBeNull();
    expect(priceStepFault({}, "equity")).toBeNull();
  });

  it("takes every price that is rounded to it", () => {
    const price = fc.double({ min: 0.0001, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(price, fc.constantFrom("equity", "etf", "crypto"), (at, kind) => {
        const step = priceStep(decimal(at), kind);
        const limit_price = roundHalfUp(decimal(at), step.split(".")[1]!.length);
        fc.pre(decimal(limit_price).gt(0));
        expect(priceStepFault({ limit_price }, kind)).toBeNull();
      }),
    );
  });
});
