import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/analytics/risk/limits.ts";
import { getRiskLimits } from "../../tools/get-risk-limits.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { tradeMarket, trader } from "../support/trades.ts";

const { ports } = await tradeMarket();
const T0 = "2026-01-15T15:00:00.000Z";
const call = (over = {}, otherPorts = {}) =>
  callerOf(getRiskLimits, ports, { ...trader, ...over })({}, otherPorts);

describe("get_risk_limits", () => {
  it("returns the defaults with explanations until the owner sets a limit", async () => {
    const told = await call();
    expect(told).toMatchObject({ limits: DEFAULT_LIMITS, set_at: null, live_trading: false });
    expect(told.in_words).toHaveLength(Object.keys(DEFAULT_LIMITS).length);
    expect(told.in_words.every(({ is_default }) => is_default)).toBe(true);
    expect(told.in_words[0]).toEqual({
      limit: "max_notional_usd",
      value: "25000",
      is_default: true,
      hint: "One order opens at most 25000 USD",
    });
    expect(told.hint).toContain("TRADING_LIVE=1");
  });

  it("returns what the owner set, only for that account", async () => {
    await ports.tradeRules.setLimits("one", { symbols: ["AAPL", "MSFT"], max_quantity: null }, T0);
    await ports.tradeRules.setKillSwitch("one", { engaged: true, since: T0, reason: "odd" });
    const told = await call({ account: "one" }, { brokers: { ...ports.brokers, live: true } });
    expect(told).toMatchObject({
      set_at: T0,
      live_trading: true,
      kill_switch: { engaged: true, since: T0, reason: "odd" },
    });
    expect(told.in_words.filter(({ is_default }) => !is_default)).toEqual([
      { limit: "max_quantity", value: null, is_default: false, hint: "Off: no limit" },
      {
        limit: "symbols",
        value: "AAPL, MSFT",
        is_default: false,
        hint: "Only positions in these symbols are opened: AAPL, MSFT",
      },
    ]);
    expect(told.hint).not.toContain("TRADING_LIVE");
    expect(await call({ account: "two" })).toMatchObject({ limits: DEFAULT_LIMITS });
    const seen = getRiskLimits.terminal!(told, (_, text) => text);
    expect(seen).toContain(
      "symbols = AAPL, MSFT (set): Only positions in these symbols are opened: AAPL, MSFT",
    );
    expect(seen).toContain(`kill switch engaged since ${T0}: odd\nlive trading on`);
  });
});

toolContract(getRiskLimits, { ports });
