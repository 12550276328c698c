import { describe, expect, it } from "vitest";
import { formatPlanOdds } from "../../src/domain/odds/odds.text.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { previewTrade } from "../../tools/preview-trade.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, tradeMarket, trader } from "../support/trades.ts";

const { ports } = await tradeMarket();
const call = (input: Record<string, unknown>, over = {}) =>
  invoke(previewTrade, input, { ports, principal: { ...trader, ...over }, transport: "test" });

describe("preview_trade", () => {
  it("returns a ticket with the quote, the size and the checks, and sends nothing", async () => {
    const shown = await call({ symbol: "aapl", side: "buy", quantity: "2", stop_loss: "130" });
    expect(shown).toMatchObject({
      success: true,
      reason: null,
      connection_id: CONNECTION,
      account_type: "paper",
      intent: { symbol: "AAPL", side: "buy", quantity: "2", stop_loss: "130" },
      quote: { price: "138", age_seconds: 0 },
      sizing: { method: "quantity", quantity: "2", at_risk: "16" },
      maximum_loss: { at_stop: "16", worst: "276" },
    });
    expect(shown.ticket_id).toMatch(/^tk_[0-9a-f]{20}$/);
    expect(shown.checks.filter(({ state }) => state !== "passed")).toEqual([]);
    expect(await ports.tradeRepository.orders(trader.account, { limit: 10 })).toEqual([]);
  });

  it("returns a ticket by default, with odds from its price", async () => {
    const shown = await call({ symbol: "AAPL" });
    expect(shown).toMatchObject({
      reason: null,
      odds_reason: null,
      // .5 % of 100,000 dollars at 138 - 135.87 would cost 32,394 dollars; 99.5 % of a tenth of equity are 72.1014 units
      intent: { quantity: "72.1014", stop_loss: "135.87", take_profit: "141.63" },
      sizing: { method: "risk_pct", bound_by: "max_notional_pct" },
    });
    expect(shown.ticket_id).not.toBeNull();
    expect(shown.sizing.steps.slice(0, 3).map(({ step }) => step)).toEqual([
      ...["expected_r", "mean_r_squared", "kelly"],
    ]);
    const { data } = await invoke(
      getSignal,
      { symbol: "AAPL" },
      { ports, principal: trader, transport: "test" },
    );
    const odds = shown.odds!;
    expect(odds).toMatchObject({ from: 138, bars: 20, version: data.signal.odds!.version });
    // the quote of 138 is above the close of 137.375, so target 1 is nearer than in the signal
    expect(odds.base!.target_first).toBeGreaterThan(data.signal.odds!.base!.target_first);
    const line = previewTrade.terminal!(shown, (_, text) => text)
      .split("\n")
      .filter((one) => one.startsWith("odds: "));
    expect(line).toEqual([`odds: ${formatPlanOdds(odds)}`]);
  });

  it("states that Kelly is 0 without a record if Kelly is requested", async () => {
    const { ticket_id, reason } = await call({ symbol: "AAPL", sizing: "kelly" });
    expect(ticket_id).toBeNull();
    expect(reason).toContain("Kelly is 0");
  });

  it("rejects an ambiguous name, and uses the given asset class", async () => {
    await expect(call({ symbol: "LINK", side: "buy", quantity: "1" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      data: { candidates: [{ symbol: "LINK" }, { symbol: "LINK-USD" }] },
    });
    const one = await call({ symbol: "LINK", side: "buy", quantity: "1", asset_class: "equity" });
    expect(one.intent).toMatchObject({ symbol: "LINK" });
  });

  it("rejects invalid quantities, unknown symbols and other accounts' connections", async () => {
    for (const quantity of ["-1", "0", "1e3", "x"])
      await expect(call({ symbol: "AAPL", side: "buy", quantity })).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    await expect(call({ symbol: "NVDAA" })).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
    expect(await call({ symbol: "AAPL" }, { account: "two" })).toMatchObject({
      ticket_id: expect.stringMatching(/^tk_/),
      account_type: "paper",
    });
    await expect(
      call({ symbol: "AAPL", connection_id: CONNECTION }, { account: "two" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

toolContract(previewTrade, { ports });
