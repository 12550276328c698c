import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { listSubscriptions } from "../../tools/list-subscriptions.ts";
import { pro } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";
import { alertMarket, NO_RECEIVER, priceAt, subscribed } from "../support/watch.ts";

const { ports } = await alertMarket();
const list = (account: string) =>
  invoke(listSubscriptions, {}, { ports, principal: { ...pro, account }, transport: "test" });

describe("list_subscriptions", () => {
  it("lists only the account's own, newest first", async () => {
    expect(await list("ada")).toMatchObject({ subscriptions: [], hint: /create_subscription/ });
    const older = subscribed(1);
    const newer = subscribed(2, {
      condition: priceAt({ above: 200 }),
      name: "high",
      created_at: "2026-01-15T15:00:00.000Z",
      channel: "ntfy",
      target: "ntfy.sh",
    });
    for (const subscription of [older, newer])
      await ports.subscriptions.add("ada", { subscription, seen: {}, receiver: NO_RECEIVER });
    expect(await list("ada")).toMatchObject({ subscriptions: [newer, older], count: 2, hint: null });
    expect((await list("bob")).count).toBe(0);
    expect(listSubscriptions.terminal!(await list("ada"), (_, text) => text)).toBe(
      [
        `${newer.subscription_id} active high\n  BTC-USD\n  above 200 USD, ntfy ntfy.sh`,
        `${older.subscription_id} active\n  BTC-USD\n  direction or grade of the 1d signal, no channel`,
      ].join("\n"),
    );
  });
});

toolContract(listSubscriptions, { ports });
