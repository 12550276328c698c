import { describe, expect, it } from "vitest";
import { cancelSubscription } from "../../tools/cancel-subscription.ts";
import { pro } from "../support/context.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { alertMarket, NO_RECEIVER, subscribed } from "../support/watch.ts";

const { ports } = await alertMarket();
const cancel = (account: string, subscription_id: string) =>
  callerOf(cancelSubscription, ports, { ...pro, account })({ subscription_id });
await ports.subscriptions.add("contract", { subscription: subscribed(0), seen: {}, receiver: NO_RECEIVER });

describe("cancel_subscription", () => {
  it("cancels a subscription permanently, but not one of another account", async () => {
    const { subscription_id } = subscribed(1);
    await ports.subscriptions.add("ada", { subscription: subscribed(1), seen: {}, receiver: NO_RECEIVER });
    await expect(cancel("bob", subscription_id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await cancel("ada", subscription_id)).toEqual({
      ok: true,
      success: true,
      subscription_id,
      cancelled: true,
      market: "sample",
      label: "SAMPLE (simulated)",
    });
    expect(await ports.subscriptions.list("ada")).toEqual([]);
    await expect(cancel("ada", subscription_id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(cancel("ada", "sb_1")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

toolContract(cancelSubscription, { ports });
