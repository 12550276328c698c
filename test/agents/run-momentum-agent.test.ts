import { describe, expect, it } from "vitest";
import { runMomentumAgent } from "../../agents/run-momentum-agent.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { connectBroker } from "../../tools/connect-broker.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { listOrders } from "../../tools/list-orders.ts";
import { brokerMarket } from "../support/brokers.ts";
import { countingMeters, NOW, pro } from "../support/context.ts";
import { climbingBars, quote, staleHistory } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const timestamp = NOW.toISOString();
/** Bars of a symbol with enough volume for several units at once. */
const busy = (climb: Parameters<typeof climbingBars>[0] = {}) => {
  const bars = climbingBars(climb);
  return { ...bars, volume: bars.volume.map((units) => 1_000 * units) };
};
const { ports: basePorts } = await brokerMarket({
  bars: {
    AAPL: busy(),
    MSFT: busy({ step: -0.125, first: 200 }),
    LINK: busy(),
    SPY: busy({ step: 0.03125 }),
  },
  quotes: {
    AAPL: quote({ price: 138, timestamp }),
    MSFT: quote({ price: 162, timestamp }),
    LINK: quote({ price: 138, timestamp, market_state: "closed" }),
  },
});
const ports = { ...basePorts, meters: countingMeters({ burst: 1_000 }).meters };
const as = (account: string): Principal => ({ ...pro, account });
const ask = <T extends Tool>(
  tool: T,
  input: InputOf<T>,
  account: string,
  over: Partial<Ports> = {},
): Promise<OutputOf<T>> =>
  invoke(tool, input, { ports: { ...ports, ...over }, principal: as(account), transport: "test" });
const run = (input: InputOf<typeof runMomentumAgent>, account: string, over: Partial<Ports> = {}) =>
  ask(runMomentumAgent, input, account, over);
const credentials = { api_key: "any", api_secret: "any" };
const connect = async (account: string) =>
  (await ask(connectBroker, { broker: "paper", credentials }, account)).connection.connection_id;
const ordersOf = async (account: string) => (await ask(listOrders, {}, account)).orders;

describe("the momentum agent", () => {
  it("returns decisions with figures of get_signal, and places nothing by default", async () => {
    const connection_id = await connect("ada");
    const answer = await run({ symbols: ["aapl", "MSFT"], quantity: "2" }, "ada");
    const { data } = await ask(getSignal, { symbol: "AAPL" }, "ada");
    const { grade, score, direction } = data.signal;
    expect(answer).toMatchObject({
      success: true,
      agent: "momentum",
      dry_run: true,
      market: "sample",
      connection: { connection_id, broker: "paper", account_type: "paper" },
      summary: "2 symbols: 1 to buy, 0 to sell, 1 to hold; a dry run, nothing was placed.",
      budget: { limit: null, spent: "0", left: null },
      notes: [
        "Set dry_run to false to place these trades, or send one ticket with execute_trade.",
        "Checked as orders at another broker. Its account is not known here; check_order takes what is missing. Not checked: share of equity, open risk, drawdown; open risk, concentration, correlation; spread; duplicates; buying power; earnings date.",
        "warn: buy 2 AAPL, at the market, stop_loss 135.87, take_profit 141.63; opens. Loss at the stop 4.26 USD, in the worst night 0.00 USD.",
      ],
    });
    expect(answer.decisions).toEqual([
      {
        symbol: "AAPL",
        action: "buy",
        held: "0",
        order: null,
        repeated: false,
        refused: null,
        why: "Grade A+ is a buy; score 87, at the close of 2026-01-14T21:00:00.000Z, on bars from fixture.",
        figures: {
          grade,
          score,
          direction,
          null_reason: null,
          timeframe: "1d",
          price: 138,
          price_source: "live_quote",
          source: "fixture",
          as_of: "2026-01-14T21:00:00.000Z",
        },
        trade: {
          side: "buy",
          quantity: "2",
          price: "138",
          price_as_of: timestamp,
          cost: "276",
          price_source: "live_quote",
          expires_at: "2026-01-15T15:05:00.000Z",
          ticket_id: expect.stringMatching(/^tk_[0-9a-f]{20}$/),
        },
      },
      expect.objectContaining({ symbol: "MSFT", action: "hold", trade: null, refused: null }),
    ]);
    expect(answer.decisions[1]!.why).toMatch(
      /^Grade F is a sell, but no position is held; score 13\.1, at the close/,
    );
    expect(await ordersOf("ada")).toEqual([]);
    // the returned ticket is valid
    const { ticket_id } = answer.decisions[0]!.trade!;
    expect((await ask(executeTrade, { ticket_id: ticket_id! }, "ada")).order.intent.quantity).toBe("2");
  });

  it("places a purchase once, however often the run is repeated, and holds it in the next run", async () => {
    await connect("bob");
    const pass = { symbols: ["AAPL"], quantity: "2", dry_run: false, budget_usd: "500" };
    const first = await run({ ...pass, run_id: "day-1" }, "bob");
    const again = await run({ ...pass, run_id: "day-1" }, "bob");
    const next = await run({ ...pass, run_id: "day-2" }, "bob");
    const [placed] = first.decisions;
    expect(placed).toMatchObject({ action: "buy", repeated: false, order: { status: "filled" } });
    expect(again.decisions[0]).toMatchObject({ action: "buy", repeated: true, order: placed!.order });
    expect(again.budget).toEqual(first.budget);
    expect(next.decisions[0]).toMatchObject({ action: "hold", held: "2", order: null });
    expect(next.decisions[0]!.why).toMatch(/^Grade A\+ is a buy, but a position is already held; /);
    const { average_price, fees } = placed!.order!;
    const spent = 2 * Number(average_price) + Number(fees);
    expect(Number(first.budget.spent)).toBeCloseTo(spent, 9);
    expect(Number(first.budget.left)).toBeCloseTo(500 - spent, 9);
    expect(await ordersOf("bob")).toHaveLength(1);
    expect(first.notes).toEqual([
      "Stops and targets are those of the 1d signal; a backtest of the agent has none.",
    ]);
  });

  it("sells the whole position at the worst grades", async () => {
    await connect("cleo");
    const bought = { symbol: "MSFT", side: "buy", quantity: "3" } as const;
    await ask(executeTrade, bought, "cleo");
    const { decisions } = await run({ symbols: ["MSFT"], dry_run: false }, "cleo");
    expect(decisions[0]).toMatchObject({
      action: "sell",
      held: "3",
      refused: null,
      order: { status: "filled", intent: { side: "sell", quantity: "3" } },
    });
    const after = await run({ symbols: ["MSFT"], dry_run: false }, "cleo");
    expect(after.decisions[0]).toMatchObject({ action: "hold", held: "0" });
  });

  it("returns refusals by risk checks, budget and market hours, with the value that would pass", async () => {
    await connect("dan");
    const { decisions, budget } = await run(
      { symbols: ["AAPL", "LINK.US", "ZZZZZ"], quantity: "2", dry_run: false, budget_usd: "200" },
      "dan",
    );
    expect(
      decisions.map(({ symbol, action, order, refused }) => [symbol, action, order, refused?.code]),
    ).toEqual([
      ["AAPL", "buy", null, "REFUSED"],
      ["LINK", "buy", null, "REFUSED"],
      ["ZZZZZ", "hold", null, "UNKNOWN_SYMBOL"],
    ]);
    expect(decisions[0]!.refused!.message).toBe(
      "2 at 138 USD cost 276 USD, but only 200 USD of the 200 USD budget are left: set budget_usd to 276 or buy at most 1.4492 units",
    );
    expect(decisions[1]!.refused!.message).toBe("Refused by market_hours");
    expect(budget).toEqual({ limit: "200", spent: "0", left: "200" });
    expect(await ordersOf("dan")).toEqual([]);
  });

  it("does not trade on old bars, or when their provider does not respond", async () => {
    await connect("ivy");
    await ask(executeTrade, { symbol: "MSFT", side: "buy", quantity: "3" }, "ivy");
    const pass = { symbols: ["AAPL", "MSFT"], quantity: "2", dry_run: false };
    const days = (count: number) => ({ now: () => new Date(NOW.getTime() + count * 86_400_000) });
    const old = await run(pass, "ivy", { clock: days(7) });
    const end = "2026-01-14T21:00:00.000Z";
    expect(old.decisions.map(({ action, order }) => [action, order])).toEqual([
      ["hold", null],
      ["hold", null],
    ]);
    expect(old.decisions[1]!.why).toMatch(
      new RegExp(`^Grade F is a sell; .+; no action, because its newest bar closed long ago, at ${end}\\.$`),
    );
    const { decisions } = await run(pass, "ivy", { bars: staleHistory(ports.bars) });
    expect(decisions.map(({ action, order }) => [action, order])).toEqual([
      ["hold", null],
      ["hold", null],
    ]);
    expect(decisions[0]!.why).toContain(`no provider of its bars responds, and the known bars end at ${end}`);
    expect(await ordersOf("ivy")).toHaveLength(1);
  });

  it("does not trade a symbol that is also a coin", async () => {
    await connect("jay");
    const { decisions } = await run({ symbols: ["LINK"], dry_run: false }, "jay");
    expect(decisions[0]).toMatchObject({
      symbol: "LINK",
      action: "buy",
      order: null,
      refused: { code: "INVALID_INPUT", hint: "Pass one of: LINK.US (equity), LINK-USD (crypto)." },
    });
  });

  it("never sends an order to a live account, but returns the ticket", async () => {
    const connection_id = await connect("eve");
    await ask(executeTrade, { symbol: "MSFT", side: "buy", quantity: "3" }, "eve");
    const kept = (await ports.connections.find("eve", connection_id))!;
    const live = { ...kept.connection, account_type: "live" } as const;
    const brokers = { ...ports.brokers, live: true };
    const over: Partial<Ports> = {
      // the same account, marked as live
      brokers: { ...brokers, open: (one, by) => ports.brokers.open({ ...one, type: "paper" }, by) },
      connections: {
        ...ports.connections,
        list: async () => [live],
        find: async () => ({ ...kept, connection: live }),
      },
    };
    const { decisions, notes } = await run({ symbols: ["MSFT", "AAPL"], dry_run: false }, "eve", over);
    const { ticket_id } = decisions[0]!.trade!;
    expect(decisions[0]).toMatchObject({
      action: "sell",
      order: null,
      refused: {
        code: "REFUSED",
        hint: `The owner of the server confirms ticket ${ticket_id} in the terminal of the server; then execute_trade sends it.`,
      },
    });
    // a purchase is sized by the track record, which does not exist here
    expect(decisions[1]).toMatchObject({ action: "buy", order: null, refused: { code: "REFUSED" } });
    expect(notes).toContain("Live account: every trade is a proposal that its owner must confirm.");
    expect(await ordersOf("eve")).toHaveLength(1);
  });

  it("uses only the account's own connections", async () => {
    const connection_id = await connect("fay");
    await expect(run({ symbols: ["AAPL"], connection_id }, "gus")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const dry = await run({ symbols: ["AAPL"] }, "gus");
    expect(dry).toMatchObject({
      connection: { broker: "paper", account_type: "paper" },
      decisions: [{ action: "buy", held: "0", trade: { ticket_id: expect.any(String) } }],
    });
  });

  it("requires its plan and scope even for a dry run", async () => {
    const principal: Principal = { ...as("hal"), scopes: ["read", "write"] };
    const call = { ports, principal, transport: "test" };
    await expect(invoke(runMomentumAgent, { symbols: ["AAPL"] }, call)).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
    });
    expect([runMomentumAgent.plan, runMomentumAgent.effect]).toEqual(["pro", "trade"]);
  });
});

toolContract(runMomentumAgent, { ports });
