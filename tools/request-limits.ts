import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import {
  ConfirmationState,
  MAX_REASON_LENGTH,
  PendingConfirmation,
} from "../src/domain/trading/confirmation.ts";
import { describeLimitChange } from "../src/domain/trading/limits.text.ts";
import { parseLimits } from "../src/features/trading/parse-limits.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { isFields } from "../src/lib/fields.ts";
import { plainText } from "../src/lib/plain-text.ts";

const FORM = "must be text such as max_notional_usd=20000";

/** Reads `{"max_notional_usd": 20000}`, also in a list, as `max_notional_usd=20000`; null as none. */
const readChanges = (changes: unknown): unknown =>
  Array.isArray(changes) ? changes.flatMap(readChange) : isFields(changes) ? readChange(changes) : changes;
const readChange = (change: unknown): unknown =>
  isFields(change) && Object.values(change).every(isValue)
    ? Object.entries(change).map(([name, value]) => `${name}=${value ?? "none"}`)
    : change;
const isValue = (value: unknown): boolean =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

/** Requests a change of risk limits, which a person of the account confirms. Changes none itself. */
export const requestLimits = defineTool({
  name: "request_limits",
  title: "Request limits",
  description:
    "Asks the owner or a member for approval to change a risk limit: raise, lift, loosen or tighten the cap on order size, daily loss, drawdown halt or permitted symbols. Returns the page on which a person confirms it; changes nothing itself. Use it when a limit keeps an agent from a trade that should pass. get_risk_limits shows the limits; set_kill_switch stops live orders.",
  topics: [
    "ask the owner to raise a limit",
    "request a higher limit",
    "approval of a limit change",
    "loosen a limit",
    "tighter limits",
    "lift the cap",
  ],
  toolset: "trading",
  plan: "pro",
  effect: "write",
  route: "POST /api/broker/request-limits",
  cli: { command: "propose-limits", positionals: ["changes"] },
  needs: ["confirmations", "tradeRules", "symbols", "market"],
  input: z.object({
    changes: z
      .preprocess(readChanges, z.array(z.string(FORM).trim().min(1).max(2_000)).min(1).max(20))
      .describe("Changes as name=value, names as in get_risk_limits; the value none switches a limit off"),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(MAX_REASON_LENGTH)
      .optional()
      .describe("Why, for the person who decides"),
  }),
  output: z.object({
    ...Succeeded,
    request_id: z.string(),
    state: ConfirmationState.describe("waiting: no limit has changed yet"),
    changes: z.array(
      z.object({
        limit: z.string(),
        current: z.string().nullable().describe("Value when this was requested; null: switched off"),
        proposed: z.string().nullable().describe("null: switched off once confirmed"),
        hint: z.string(),
      }),
    ),
    confirmation: PendingConfirmation.nullable().describe("Where a person decides; null once decided"),
    hint: z.string(),
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Request a limit of 5,000 dollars for an order",
      input: { changes: ["max_notional_usd=5000"], reason: "The plan needs larger orders" },
    },
    { ask: "Request a daily loss limit of 2 percent", input: { changes: ["max_daily_loss_pct=2"] } },
  ],
  terminal: ({ request_id, state, changes, hint }, paint) =>
    [
      `${paint("bold", request_id)} ${paint(state === "waiting" ? "yellow" : "dim", state)}`,
      ...changes.map(
        ({ limit, current, proposed }) => `  ${limit}: ${current ?? "none"} -> ${proposed ?? "none"}`,
      ),
      paint("dim", hint),
    ].join("\n"),

  async handler({ changes, reason }, ctx) {
    const { account, keyId = "" } = ctx.principal;
    const text = reason === undefined ? "" : plainText(reason, MAX_REASON_LENGTH);
    const change = parseLimits(changes, ctx.symbols);
    const { limits } = await ctx.tradeRules.limits(account);
    const names = Object.keys(change) as (keyof typeof limits)[];
    const from = Object.fromEntries(names.map((name) => [name, limits[name]]));
    const proposal = { kind: "limits", change, from, reason: text === "" ? null : text } as const;
    const { id, expiresAt, proposal: requested } = await ctx.confirmations.request(account, proposal, keyId);
    const before = requested.kind === "limits" ? requested.from : from;
    const state = (await ctx.confirmations.state(account, id)) ?? "expired";
    const url = ctx.confirmations.urlOf(id);
    return {
      request_id: id,
      state,
      changes: describeLimitChange({ ...limits, ...before }, change).map(
        ({ limit, now, proposed, hint }) => ({
          limit,
          current: now,
          proposed,
          hint,
        }),
      ),
      confirmation: state === "waiting" ? { id, url, expires_at: expiresAt } : null,
      hint: HINTS[state](url, expiresAt),
      market: ctx.market.mode,
    };
  },
});

const HINTS: Readonly<Record<ConfirmationState, (url: string, until: string) => string>> = {
  waiting: (url, until) =>
    `Nothing has changed yet. Until ${until} a person of this account decides at ${url}, or the owner in the terminal of the server. Repeat this call for the decision.`,
  confirmed: () => "A person confirmed this: the limits apply.",
  refused: () =>
    "A person refused this: the limits stay. Do not ask for the same again without talking to the person.",
  expired: () => "No person decided in time: the limits stay.",
};
