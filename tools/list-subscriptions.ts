import { z } from "zod";
import { Subscription } from "../src/domain/alerts/alerts.ts";
import { Hint, MarketMode, Succeeded } from "../src/domain/answers.ts";
import { formatSubscription } from "../src/features/alerts/alerts.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the subscriptions of the account, newest first. */
export const listSubscriptions = defineTool({
  name: "list_subscriptions",
  title: "List alert subscriptions",
  description:
    "Lists the alert subscriptions of this account: symbols, condition, channel, and whether each is active or paused and why. Use it for which alerts or notifications are set up or on, what is being watched for me, or the ids of my subscriptions. What was sent is in list_deliveries; create_subscription and cancel_subscription change them.",
  topics: ["my alerts", "active alerts", "alert subscriptions", "paused alert", "subscription ids"],
  toolset: "agents",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/subscriptions",
  cli: { command: "subscriptions" },
  needs: ["subscriptions", "market"],
  input: z.object({}),
  output: z.object({
    ...Succeeded,
    subscriptions: z.array(Subscription).describe("Newest first"),
    count: z.number().int(),
    hint: Hint,
    market: MarketMode,
  }),
  examples: [{ ask: "Which alerts have I set up?", input: {} }],
  terminal: ({ subscriptions, hint }, paint) =>
    [
      ...subscriptions.flatMap((one) => formatSubscription(one, paint)),
      ...(hint === null ? [] : [hint]),
    ].join("\n"),

  async handler(_, { subscriptions, market, principal }) {
    const found = await subscriptions.list(principal.account);
    return {
      subscriptions: found,
      count: found.length,
      hint: found.length === 0 ? "No subscriptions: create_subscription creates one." : null,
      market: market.mode,
    };
  },
});
