import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { KillSwitch } from "../src/domain/trading/risk.ts";
import { changeKillSwitch } from "../src/features/trading/kill-switch.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { plainText } from "../src/lib/plain-text.ts";

const MAX_REASON_LENGTH = 200;

/** Engages or releases the kill switch of the account; releasing it requires the admin scope. */
export const setKillSwitch = defineTool({
  name: "set_kill_switch",
  title: "Set kill switch",
  description:
    "Engages or releases the kill switch, the emergency stop: no more live orders with real money leave this account; paper trading continues. Use it to stop, halt, freeze or disable all live trading when something is wrong, or to resume it. Any key that may trade can engage it; releasing it requires the admin scope. cancel_order cancels an order at the broker; get_risk_limits shows its state.",
  topics: [
    "kill switch",
    "emergency stop",
    "panic button",
    "stop all trading",
    "halt live trading",
    "freeze live orders",
    "resume live trading",
  ],
  toolset: "trading",
  plan: "member",
  effect: "trade",
  route: "POST /api/broker/kill-switch",
  cli: { command: "kill-switch" },
  needs: ["tradeRules", "audit", "clock", "log", "market"],
  input: z.object({
    engaged: z.boolean().describe("true stops live orders; false allows them again"),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(MAX_REASON_LENGTH)
      .optional()
      .describe("Reason, stored in the audit log"),
  }),
  output: z.object({
    ...Succeeded,
    kill_switch: KillSwitch,
    changed: z.boolean().describe("true: this call changed the state"),
    hint: z.string(),
    market: MarketMode,
  }),
  examples: [
    { ask: "Stop all live trading now", input: { engaged: true, reason: "fills look wrong" } },
    { ask: "Halt live orders", input: { engaged: true } },
  ],
  terminal: ({ kill_switch: { engaged, since, reason }, changed, hint }, paint) =>
    [
      paint(engaged ? "red" : "green", `kill switch ${engaged ? "engaged" : "released"}`) +
        `${changed ? "" : ", unchanged"}${since === null ? "" : ` ${engaged ? "since" : "at"} ${since}`}${reason === null ? "" : `: ${reason}`}`,
      paint("dim", hint),
    ].join("\n"),

  async handler({ engaged, reason }, ctx) {
    const text = reason === undefined ? "" : plainText(reason, MAX_REASON_LENGTH);
    const request = { engaged, reason: text === "" ? null : text };
    const { killSwitch, changed } = await changeKillSwitch(request, ctx.principal, ctx);
    return {
      kill_switch: killSwitch,
      changed,
      hint: engaged
        ? "No live orders of this account are sent; paper trading continues. Orders already working at the broker are not cancelled: list_orders shows them, cancel_order cancels one."
        : changed
          ? "Live orders may be sent again, within the limits of get_risk_limits."
          : `Nothing was changed: the kill switch of this key's account, ${ctx.principal.account}, was not engaged. To release another account's kill switch, use a key of that account, or ask the owner of the server.`,
      market: ctx.market.mode,
    };
  },
});
