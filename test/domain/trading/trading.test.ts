import { expect, it } from "vitest";
import { BrokerStatus, OrderState, OrderStatus, orderStatus } from "../../../src/domain/trading/trading.ts";

const statuses = [null, ...BrokerStatus.options];

it("returns the state of an unconfirmed order before the broker's status", () => {
  for (const broker_status of statuses) {
    expect(orderStatus({ state: "submitting", broker_status })).toBe("submitting");
    expect(orderStatus({ state: "unknown", broker_status })).toBe("unknown");
    expect(orderStatus({ state: "rejected", broker_status })).toBe("rejected");
    for (const state of ["accepted", "reconciled"] as const)
      expect(orderStatus({ state, broker_status })).toBe(broker_status ?? "working");
  }
  const reported = OrderState.options.flatMap((state) =>
    statuses.map((broker_status) => orderStatus({ state, broker_status })),
  );
  expect([...new Set(reported)].sort()).toEqual([...OrderStatus.options].sort());
});
