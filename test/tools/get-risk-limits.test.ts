import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/analytics/risk/limits.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { getRiskLimits } from "../../tools/get-risk-limits.ts";
import { previewTrade } from "../../tools/preview-trade.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, tradeMarket, trader } from "../support/trades.ts";

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
      used: null,
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
      { limit: "max_quantity", value: null, used: null, is_default: false, hint: "Off: no limit" },
      {
        limit: "symbols",
        value: "AAPL, MSFT",
        used: null,
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

describe("the use of the limits", () => {
  const usedOf = ({ in_words }: Awaited<ReturnType<typeof call>>) =>
    Object.fromEntries(in_words.flatMap(({ limit, used }) => (used === null ? [] : [[limit, used]])));
  const UNUSED = {
    max_open_risk_pct: "0",
    max_daily_loss_pct: "0",
    halt_drawdown_pct: "0",
    max_orders_a_minute: "0",
    cooldown_stop_outs: "0",
  };

  it("is 0 before the first order, which stores nothing", async () => {
    const told = await call({ account: "reader", scopes: ["read"] });
    expect(usedOf(told)).toEqual(UNUSED);
    expect(told).toMatchObject({ connection_id: expect.stringMatching(/^cn_/), used_reason: null });
    expect((await ports.connections.list("reader"))[0]?.connected_at).toBeNull();
  });

  it("has that of live orders sent without confirmation, if the owner set a limit", async () => {
    await ports.tradeRules.setLimits("live", { unconfirmed_live_usd: "500" }, T0);
    expect(usedOf(await call({ account: "live" }))).toEqual({ ...UNUSED, unconfirmed_live_usd: "0" });
  });

  it("follows a fill at once, in the unit of each limit", async () => {
    const buy = { symbol: "AAPL", side: "buy", quantity: "50", stop_loss: "130" };
    await callerOf(executeTrade, ports, trader)(buy);
    const told = await call();
    const used = usedOf(told);
    expect(used).toMatchObject({ max_orders_a_minute: "1", cooldown_stop_outs: "0" });
    const { equity } = (await callerOf(previewTrade, ports, trader)(buy)).account;
    // 50 shares fall from the price of 138 to the stop at 130: 400 USD of an equity just below 100,000
    expect(used.max_open_risk_pct).toBe((Math.floor((400 / Number(equity)) * 1e6) / 1e4).toString());
    expect(used.max_open_risk_pct).toBe("0.4");
    const seen = getRiskLimits.terminal!(told, (_, text) => text);
    expect(seen).toContain("max_orders_a_minute = 10, used 1: At most 10 orders are sent within a minute");
  });

  it("writes nothing, so that the peak of a preview remains", async () => {
    const marks = () =>
      ports.tradeRepository.recordEquity(trader.account, CONNECTION, {
        equity: "1",
        day: "2026-01-15",
        stores: false,
      });
    const before = await marks();
    const rich = { equity: "500000", cash: "500000" };
    const open: Ports["brokers"]["open"] = (...request) => {
      const broker = ports.brokers.open(...request);
      return { ...broker, account: async () => ({ ...(await broker.account()), ...rich }) };
    };
    expect(usedOf(await call({}, { brokers: { ...ports.brokers, open } })).halt_drawdown_pct).toBe("0");
    expect(await marks()).toEqual(before);
  });

  it("is unknown with the reason while the broker is down, and the limits are still returned", async () => {
    const failing = async () => {
      throw new ToolError("UPSTREAM_UNAVAILABLE", "The broker does not respond");
    };
    const open = () => ({ orders: failing }) as never;
    const told = await call({}, { brokers: { ...ports.brokers, open } });
    expect(told).toMatchObject({ limits: DEFAULT_LIMITS, used_reason: "The broker does not respond" });
    expect(usedOf(told)).toEqual({});
  });

  it("is that of the connection passed, and names the ids if there are several", async () => {
    const account = "several";
    for (const digit of ["2", "3"]) {
      const [connection] = await ports.connections.list(trader.account);
      const connection_id = `cn_${digit.repeat(20)}`;
      const keys = { api_key: connection_id, api_secret: connection_id };
      await ports.connections.add(account, { ...connection!, connection_id }, keys);
    }
    const told = await call({ account });
    expect(told.connection_id).toBeNull();
    expect(told.used_reason).toMatch(/^Several brokers are connected: .* Pass connection_id, one of: cn_/);
    const one = await callerOf(getRiskLimits, ports, { ...trader, account })({
      connection_id: `cn_${"2".repeat(20)}`,
    });
    expect(one).toMatchObject({ connection_id: `cn_${"2".repeat(20)}`, used_reason: null });
    expect(usedOf(one)).toEqual(UNUSED);
    await expect(
      callerOf(getRiskLimits, ports, { ...trader, account })({ connection_id: CONNECTION }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

toolContract(getRiskLimits, { ports });
