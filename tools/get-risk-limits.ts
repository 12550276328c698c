import { z } from "zod";
import { Iso, MarketMode, Succeeded } from "../src/domain/answers.ts";
import { describeLimits } from "../src/domain/trading/limits.text.ts";
import { KillSwitch, RiskLimits } from "../src/domain/trading/risk.ts";
import { ConnectionId } from "../src/domain/trading/trading.ts";
import { readLimitUse } from "../src/features/trading/limit-use.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the owner's risk limits and how much of them is used, the kill switch, and whether live orders are enabled. */
export const getRiskLimits = defineTool({
  name: "get_risk_limits",
  title: "Get risk limits",
  description:
    "Returns the risk limits of the account: maximum position size, daily loss limit, drawdown halt, cooldown after stop-outs, how many orders an agent may send a minute, allowed symbols and hours, how much of each limit is used, and whether the kill switch is engaged and live trading switched on. Use it for what a bot may trade, or why an order is refused. preview_trade checks one trade.",
  topics: [
    "risk limits",
    "position size limit",
    "maximum order size",
    "daily loss limit",
    "drawdown halt",
    "cooldown",
    "order refused",
    "kill switch status",
  ],
  toolset: "trading",
  plan: "member",
  effect: "read",
  route: "GET /api/broker/risk-limits",
  cli: { command: "risk" },
  needs: [
    "brokers",
    "connections",
    "tradeRepository",
    "tradeRules",
    "clock",
    "market",
    "quotes",
    "symbols",
    "bars",
    "cache",
  ],
  input: z.strictObject({
    connection_id: ConnectionId.optional().describe("Connection whose use of the limits is shown"),
  }),
  output: z.object({
    ...Succeeded,
    limits: RiskLimits,
    set_at: Iso.nullable().describe("Time of the owner's last change; null if all limits are defaults"),
    in_words: z.array(
      z.object({
        limit: z.string(),
        value: z.string().nullable().describe("null: the limit is switched off"),
        used: z
          .string()
          .nullable()
          .describe(
            "Amount used now, in the unit of value; null: the limit is of a single order, or the use is unknown",
          ),
        is_default: z.boolean(),
        hint: z.string(),
      }),
    ),
    connection_id: z
      .string()
      .nullable()
      .describe("Connection that `used` is of; null: several are connected, pass connection_id"),
    used_reason: z.string().nullable().describe("Why used is unknown; null if it is known"),
    kill_switch: KillSwitch,
    live_trading: z.boolean().describe("true: this server sends live orders"),
    hint: z.string(),
    market: MarketMode,
  }),
  examples: [{ ask: "What am I allowed to trade, and how much?", input: {} }],
  terminal: ({ in_words, used_reason, kill_switch: { engaged, since, reason }, live_trading, hint }, paint) =>
    [
      ...in_words.map(({ limit, value, used, is_default, hint: words }) =>
        paint(
          is_default ? "dim" : "bold",
          `${limit} = ${value ?? "none"}${used === null ? "" : `, used ${used}`}${is_default ? "" : " (set)"}: ${words}`,
        ),
      ),
      ...(used_reason === null ? [] : [`use unknown: ${used_reason}`]),
      engaged
        ? paint("red", `kill switch engaged since ${since}${reason === null ? "" : `: ${reason}`}`)
        : "kill switch released",
      `live trading ${live_trading ? "on" : "off"}`,
      hint,
    ].join("\n"),

  async handler({ connection_id }, ctx) {
    const { account } = ctx.principal;
    const { limits, set, setAt } = await ctx.tradeRules.limits(account);
    const { connection, used, failure } = await readLimitUse(ctx.principal, connection_id, ctx);
    const { live } = ctx.brokers;
    return {
      limits,
      set_at: setAt,
      in_words: describeLimits(limits).map(({ limit, value, hint }) => ({
        limit,
        value,
        used: value === null ? null : (used[limit] ?? null),
        is_default: !(limit in set),
        hint,
      })),
      connection_id: connection,
      used_reason: failure === null ? null : [failure.message, failure.hint].filter(Boolean).join(". "),
      kill_switch: await ctx.tradeRules.killSwitch(account),
      live_trading: live,
      hint: `The owner of the server changes the limits of this account in the terminal of the server, and a person of the account confirms those that request_limits proposes.${live ? "" : " Live orders also require the owner to set TRADING_LIVE=1; paper trading does not."}`,
      market: ctx.market.mode,
    };
  },
});
