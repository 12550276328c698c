import { z } from "zod";
import { SubscriptionId } from "../src/domain/alerts/alerts.ts";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

export const cancelSubscription = defineTool({
  name: "cancel_subscription",
  title: "Cancel alert subscription",
  description:
    "Ends one alert subscription of this account by its id, for good: it is no longer watched or sent, and its address and secrets are deleted. Use it to stop, cancel, mute, turn off or switch off an alert or notification, or to unsubscribe. The ids are in list_subscriptions; create_subscription sets a new one.",
  topics: ["cancel alert", "turn off alert", "mute alert", "unsubscribe", "stop notifying me"],
  toolset: "agents",
  plan: "pro",
  effect: "write",
  destructive: true,
  route: "POST /api/v1/subscriptions/:subscription_id/cancel",
  cli: { command: "unsubscribe" },
  needs: ["subscriptions", "market"],
  input: z.object({ subscription_id: SubscriptionId }),
  output: z.object({
    ...Succeeded,
    subscription_id: z.string(),
    cancelled: z.literal(true),
    market: MarketMode,
  }),
  examples: [{ ask: "Turn that alert off", input: { subscription_id: `sb_${"0".repeat(20)}` } }],
  terminal: ({ subscription_id }) => `${subscription_id} cancelled`,

  async handler({ subscription_id }, { subscriptions, market, principal }) {
    if (!(await subscriptions.remove(principal.account, subscription_id)))
      throw new ToolError("NOT_FOUND", "There is no such subscription", {
        hint: "list_subscriptions lists the subscriptions of this account.",
      });
    return { subscription_id, cancelled: true as const, market: market.mode };
  },
});
