import { z } from "zod";
import {
  ALERT_LIMITS,
  ALERTS_PLAN,
  Channel,
  Condition,
  Subscription,
  WatchlistName,
} from "../src/domain/alerts/alerts.ts";
import { Alternatives, MarketMode, named, Succeeded, symbolList } from "../src/domain/answers.ts";
import { TimeframeText } from "../src/domain/market/bars.ts";
import { joinedBy } from "../src/domain/recognisers/field-kinds.ts";
import { formatSubscription } from "../src/features/alerts/alerts.text.ts";
import { cleanName, subscribe } from "../src/features/alerts/subscribe.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { defineTool } from "../src/kernel/tool.ts";

const MAX_RULE_LENGTH = 600;
/** One address without a name, in ASCII, and without the characters that separate addresses. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{1,255}$)[a-z\d-]+(\.[a-z\d-]+)*$/i;

const CONFIRMATION_NOTE =
  "A message says what waits, until when and on which page. It confirms nothing, and the page needs a person who is signed in.";

const repeatNote = ({ created_at, channel, name }: Subscription, newName: string | null): string =>
  `The same subscription is active since ${created_at}; nothing was created.${newName === null || newName === name ? "" : ` Its name is still ${name === null ? "none" : `"${name}"`}.`}${channel === "webhook" ? " Its signing secret was shown only then: to get a new one, cancel it and subscribe again." : ""}`;

/** Creates a subscription that sends an alert when a signal changes, a price crosses a level or a rule becomes true. */
export const createSubscription = defineTool({
  name: "create_subscription",
  title: "Create alert subscription",
  description:
    "Sets up an alert that the server watches and sends as a message by webhook, ntfy, Telegram, Slack or email. Use it to notify or let me know when the signal of a symbol or watchlist flips direction or grade, a price passes above or below a level, a rule such as `rsi(14) < 30` becomes true, or a request waits (`on: confirmation`). cancel_subscription ends it; past changes are in what_changed.",
  topics: [
    "price alert",
    "alert me",
    "set an alert",
    "notify me",
    "let me know when",
    "tell me when",
    "webhook",
    "push notification",
  ],
  toolset: "agents",
  plan: ALERTS_PLAN,
  effect: "write",
  route: "POST /api/v1/subscriptions",
  cli: { command: "subscribe", positionals: ["symbols"] },
  deadlineMs: 60_000,
  needs: [...PICTURE_PORTS, "quotes", "ids", "subscriptions", "watchlists"],
  secrets: { input: ["url", "bot_token", "chat_id", "email"], writeOnce: ["signing_secret"] },
  input: z.object({
    symbols: symbolList(ALERT_LIMITS.symbols)
      .optional()
      .describe("At most 50 tickers or pairs; alternative to watchlist"),
    watchlist: WatchlistName.optional().describe(
      "Name of a saved list with at most 50 symbols; later changes to the list apply",
    ),
    timeframe: TimeframeText.default("1d"),
    on: Condition.shape.on
      .default("signal")
      .describe(
        "Kind of condition. confirmation: without symbols, when an order or request waits for a person",
      ),
    changes: z
      .array(z.enum(["direction", "grade"]))
      .min(1)
      .max(2)
      .optional()
      .describe("For signal: changes that trigger an alert. Default: both."),
    above: z
      .number()
      .positive()
      .max(1e9)
      .optional()
      .describe("For price: triggers when it rises above this, USD"),
    below: z
      .number()
      .positive()
      .max(1e9)
      .optional()
      .describe("For price: triggers when it falls below this, USD"),
    rule: joinedBy(z.string().trim().min(3).max(MAX_RULE_LENGTH), " and ")
      .optional()
      .describe(
        'For rule: condition on closed bars, as in run_backtest: "rsi(14) < 30 and close > sma(200)"',
      ),
    channel: Channel.default("none").describe("none: alerts are only stored; list_deliveries returns them"),
    url: z.string().trim().max(2_048).optional().describe("For webhook, ntfy, slack: public https address"),
    bot_token: z
      .string()
      .trim()
      .regex(/^[!-~]{1,200}$/, "has 1 to 200 printable ASCII characters")
      .optional()
      .describe(
        "For telegram: bot token. For a protected ntfy topic: access token. Stored encrypted, never returned.",
      ),
    chat_id: z
      .string()
      .trim()
      .regex(/^(-?\d{1,20}|@\w{4,32})$/, "is a number or an @name")
      .optional()
      .describe("For telegram: recipient, such as 123456789 or @channel"),
    email: z
      .string()
      .trim()
      .max(254)
      .regex(EMAIL, "is one address, such as ada@example.com")
      .optional()
      .describe("For email: address that the owner of the server allows by SMTP_TO"),
    name: z.string().trim().max(60).optional().describe("Your name for the subscription"),
  }),
  output: z.object({
    ...Succeeded,
    subscription: Subscription,
    signing_secret: z
      .string()
      .nullable()
      .describe(
        "Secret that signs webhooks, returned only in the first response; null in stored copies and for other channels",
      ),
    condition_states: z
      .array(
        z.object({
          symbol: z.string(),
          holds: z.boolean().nullable().describe("null: not known yet"),
          text: z.string(),
        }),
      )
      .describe(
        "Current state of the condition by symbol. Conditions that are already true do not trigger an alert.",
      ),
    notes: z.array(z.string()),
    alternatives: Alternatives,
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Tell me when Apple's signal changes direction",
      input: { symbols: ["AAPL"], changes: ["direction"] },
    },
    {
      ask: "Alert me when bitcoin is over 200,000 dollars",
      input: { symbols: ["BTC-USD"], on: "price", above: 200_000 },
    },
    {
      ask: "Let me know when SPY gets oversold above its long average",
      input: { symbols: ["SPY"], on: "rule", rule: "rsi(14) < 30 and close > sma(200)" },
    },
  ],
  terminal: ({ subscription, signing_secret, condition_states, notes }, paint) =>
    [
      ...formatSubscription(subscription, paint),
      ...condition_states.map(({ symbol, text }) => `  ${symbol}: ${text}`),
      ...(signing_secret === null
        ? []
        : [`  signing secret, shown only once: ${paint("bold", signing_secret)}`]),
      ...notes.map((line) => paint("dim", line)),
    ].join("\n"),

  async handler(input, ctx) {
    const caller = { account: ctx.principal.account, signal: ctx.signal };
    const { alternatives, isNew, ...subscribed } = await subscribe(input, caller, ctx);
    return {
      ...subscribed,
      notes: [
        ...(isNew ? [] : [repeatNote(subscribed.subscription, cleanName(input.name))]),
        input.on === "confirmation"
          ? CONFIRMATION_NOTE
          : "The subscription is evaluated while the server runs. Changes during downtime are reported after the restart.",
      ],
      alternatives: alternatives.map(named),
      market: ctx.market.mode,
    };
  },
});
