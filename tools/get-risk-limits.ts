import { z } from "zod";
import { Iso, MarketMode, Succeeded } from "../src/domain/answers.ts";
import { describeLimits } from "../src/domain/trading/limits.text.ts";
import { KillSwitch, RiskLimits } from "../src/domain/trading/risk.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the owner's risk limits, the kill switch, and whether live orders are enabled. */
export const getRiskLimits = defineTool({
  name: "get_risk_limits",
  title: "Get risk limits",
  description:
    "Returns the owner's risk rules: maximum position size, daily loss limit, drawdown halt, cooldown after stop-outs, how many orders an agent may send a minute, allowed symbols and hours, whether the kill switch is engaged right now and live trading switched on here. Use it for what a bot may trade, or why an order is refused. It changes nothing. preview_trade checks one trade.",
  toolset: "trading",
  plan: "member",
  effect: "read",
  route: "GET /api/broker/risk-limits",
  cli: { command: "risk" },
  needs: ["tradeRules", "brokers", "market"],
  input: z.strictObject({}),
  output: z.object({
    ...Succeeded,
    limits: RiskLimits,
    set_at: Iso.nullable().describe("Time of the owner's last change; null if all limits are defaults"),
    in_words: z.array(
      z.object({
        limit: z.string(),
        value: z.string().nullable().describe("null: the limit is switched off"),
        is_default: z.boolean(),
        hint: z.string(),
      }),
    ),
    kill_switch: KillSwitch,
    live_trading: z.boolean().describe("true: this server sends live orders"),
    hint: z.string(),
    market: MarketMode,
  }),
  examples: [{ ask: "What am I allowed to trade, and how much?", input: {} }],
  terminal: ({ in_words, kill_switch: { engaged, since, reason }, live_trading, hint }, paint) =>
    [
      ...in_words.map(({ limit, value, is_default, hint: words }) =>
        paint(
          is_default ? "dim" : "bold",
          `${limit} = ${value ?? "none"}${is_default ? "" : " (set)"}: ${words}`,
        ),
      ),
      engaged
        ? paint("red", `kill switch engaged since ${since}${reason === null ? "" : `: ${reason}`}`)
        : "kill switch released",
      `live trading ${live_trading ? "on" : "off"}`,
      hint,
    ].join("\n"),

  async handler(_, ctx) {
    const { account } = ctx.principal;
    const { limits, set, setAt } = await ctx.tradeRules.limits(account);
    const { live } = ctx.brokers;
    return {
      limits,
      set_at: setAt,
      in_words: describeLimits(limits).map((rule) => ({ ...rule, is_default: !(rule.limit in set) })),
      kill_switch: await ctx.tradeRules.killSwitch(account),
      live_trading: live,
      hint: `Only the owner of the server changes the limits of this account, in the terminal of the server.${live ? "" : " Live orders also require the owner to set TRADING_LIVE=1; paper trading does not."}`,
      market: ctx.market.mode,
    };
  },
});
