import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import type { Situation } from "../../../src/analytics/risk/situation.ts";
import { unitsReservedByExits } from "../../../src/analytics/risk/size-rules.ts";

const closing = (quantity: string, exits: Situation["exits"], over: Partial<Situation> = {}) =>
  unitsReservedByExits(
    {
      intent: { side: "sell", quantity },
      held: "10",
      ...(exits && { exits }),
      ...over,
    } as Situation,
    DEFAULT_LIMITS,
  );

it("allows closing units without exit orders, and lists the orders that hold the rest", () => {
  const exits = { units: "6", orders: ["or_1"] };
  expect(closing("4", exits)).toMatchObject({ state: "passed", value: "4", limit: "4" });
  expect(closing("5", exits)).toMatchObject({
    state: "failed",
    value: "5",
    limit: "4",
    would_pass: "4",
    held_by: ["or_1"],
  });
  const cover = { intent: { side: "buy", quantity: "5" }, held: "-10" } as Partial<Situation>;
  expect(closing("5", exits, cover)).toMatchObject({ state: "failed", would_pass: "4" });
});

it("suggests no quantity if exits cover everything, and lists no order if none is known", () => {
  const check = closing("1", { units: "12", orders: [] });
  expect(check).toMatchObject({ state: "failed", limit: "0", would_pass: null });
  expect(check).not.toHaveProperty("held_by");
});

it("does not apply without exit orders or if nothing is closed", () => {
  expect(closing("1", undefined)).toBeNull();
  expect(closing("1", { units: "1", orders: [] }, { held: "0" })).toBeNull();
});
