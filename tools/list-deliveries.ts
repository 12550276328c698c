import { z } from "zod";
import { ALERT_LIMITS, Delivery, DeliveryState, SubscriptionId } from "../src/domain/alerts/alerts.ts";
import { Hint, intBetween, MarketMode, NextCursor, Succeeded, timeRange } from "../src/domain/answers.ts";
import { nextPageLine } from "../src/domain/terminal.ts";
import { formatDelivery } from "../src/features/alerts/alerts.text.ts";
import { ANY_TIME, pageWithin, resolveRange, rowsToRead } from "../src/features/signal/time-range.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the alerts of the account with their delivery state, newest first. */
export const listDeliveries = defineTool({
  name: "list_deliveries",
  title: "List alert deliveries",
  description:
    "Shows the log of alerts that fired, newest first: text, figures, whether each was delivered, is waiting or has failed, and every attempt with its HTTP status. Use it for which alerts or notifications were sent or went off last night, whether a webhook, Telegram, ntfy or Slack message got through, or why one never arrived. What is watched is in list_subscriptions; what_changed needs no alert.",
  topics: [
    "alert log",
    "alerts fired",
    "alerts went off",
    "failed notification",
    "webhook delivery",
    "delivery attempts",
  ],
  toolset: "agents",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/deliveries",
  cli: { command: "deliveries" },
  needs: ["subscriptions", "clock", "market"],
  input: z.object({
    subscription_id: SubscriptionId.optional().describe(
      "Only alerts of this subscription: sb_ and 20 hex digits",
    ),
    state: DeliveryState.optional().describe(
      "Only alerts in this state; stored: not sent, because the subscription has no channel",
    ),
    limit: intBetween(1, ALERT_LIMITS.deliveries).default(50).describe("Maximum number of alerts"),
    ...timeRange("alert by the time it fired"),
  }),
  output: z.object({
    ...Succeeded,
    deliveries: z.array(Delivery).describe("Newest first"),
    count: z.number().int(),
    next_cursor: NextCursor,
    hint: Hint,
    market: MarketMode,
  }),
  examples: [
    { ask: "Which alerts went off?", input: {} },
    { ask: "Did any notification fail?", input: { state: "undelivered" } },
  ],
  terminal: ({ deliveries, hint, next_cursor }, paint) =>
    [
      ...deliveries.flatMap((one) => formatDelivery(one, paint)),
      ...(hint === null ? [] : [hint]),
      ...nextPageLine(next_cursor, paint),
    ].join("\n"),

  async handler({ subscription_id, state, limit, ...times }, { subscriptions, market, principal, clock }) {
    const { account } = principal;
    const range = resolveRange(times, {
      now: clock.now(),
      latest: ANY_TIME,
      filters: [subscription_id, state],
    });
    const all = await subscriptions.deliveries(account, {
      subscription: subscription_id,
      state,
      from: range.from,
      until: range.pageEnd,
      limit: rowsToRead(range, limit),
    });
    const timeOf = ({ alert }: Delivery) => Date.parse(alert.fired_at);
    const { rows: found, next } = pageWithin(all, range, { limit, timeOf });
    // deliveries outlive their subscription
    if (found.length === 0 && subscription_id !== undefined)
      if ((await subscriptions.find(account, subscription_id)) === null)
        throw new ToolError("NOT_FOUND", "There is no such subscription", {
          hint: "list_subscriptions lists the subscriptions of this account.",
        });
    return {
      deliveries: found,
      count: found.length,
      next_cursor: next,
      hint:
        found.length === 0
          ? "No alert of this kind has fired yet; list_subscriptions shows what is watched."
          : null,
      market: market.mode,
      ...range.notes,
    };
  },
});
