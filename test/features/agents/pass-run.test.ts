import { describe, expect, it } from "vitest";
import { idempotencyKeyOf, type PassRequest } from "../../../src/domain/agents/agent-pass.ts";
import type { Preview } from "../../../src/domain/trading/preview.ts";
import type { Connection, OrderShown } from "../../../src/domain/trading/trading.ts";
import type { AgentVerdict, AnalysisOutcome, SymbolAnalysis } from "../../../src/features/agents/pass.ts";
import type { PassActions, PassTrade } from "../../../src/features/agents/pass-actions.ts";
import { runPass, toAnalysisOutcomes } from "../../../src/features/agents/pass-run.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { idDigits } from "../../../src/lib/id-digits.ts";
import { idempotencyUuid } from "../../../src/lib/idempotency-key.ts";

const AT = "2026-01-15T15:00:00.000Z";
const ID = `cn_${"1".repeat(20)}`;
const connection: Connection = {
  connection_id: ID,
  broker: "paper",
  account_type: "paper",
  account_mask: "4242",
  market: "test",
  connected_at: AT,
  checked_at: AT,
};

const order = (
  over: Omit<Partial<OrderShown>, "intent"> & { readonly intent: Partial<OrderShown["intent"]> },
) =>
  ({
    order_id: `or_${"0".repeat(20)}`,
    connection_id: ID,
    state: "accepted",
    broker_status: "filled",
    status: "filled",
    filled_quantity: "0",
    average_price: null,
    fees: "0",
    reason: null,
    ...over,
  }) as OrderShown;

/** The purchase of run r-1, still working. */
const before = order({
  order_id: `or_${idDigits(idempotencyUuid("momentum r-1 AAPL buy"))}`,
  status: "working",
  broker_status: "working",
  intent: { symbol: "AAPL", side: "buy", quantity: "2" },
});

interface World {
  readonly held?: Readonly<Record<string, string>>;
  readonly working?: readonly OrderShown[];
  readonly sent?: readonly OrderShown[];
  readonly connections?: readonly Connection[];
  readonly price?: string;
  readonly fails?: Readonly<Record<string, ToolError>>;
  readonly openPaper?: PassActions["openPaper"];
}

const CHECKED = {
  verdict: "warn" as const,
  order: "buy 2 AAPL, at the market; opens",
  rules: [{ rule: "stop_missing", level: "warn" as const, value: "none", limit: "a stop_loss" }],
  unknown: [{ what: "spread" }],
};

/** Actions that fill every trade at the price, with the calls in order. */
function passActions({
  held = {},
  working = [],
  sent = [],
  connections = [connection],
  price = "100",
  fails = {},
  openPaper = null,
}: World = {}) {
  const calls: string[] = [];
  const text = ({ side, symbol, quantity, risk_pct, stop_loss }: PassTrade) =>
    `${side} ${quantity ?? (risk_pct === undefined ? "default" : `${risk_pct}%`)} ${symbol}${stop_loss === undefined ? "" : ` stop ${stop_loss}`}`;
  const actions: PassActions = {
    openPaper,
    connections: async () => ({ connections }),
    sync: async () => calls.push("sync"),
    positions: async () => ({
      positions: Object.entries(held).map(([symbol, quantity]) => ({ symbol, quantity })),
    }),
    orders: async ({ status }) => ({ orders: status === "working" ? working : [...working, ...sent] }),
    async preview(trade) {
      calls.push(`preview ${text(trade)}`);
      const quantity = trade.quantity ?? "5";
      return {
        ticket_id: `tk_${"2".repeat(20)}`,
        expires_at: AT,
        reason: null,
        hint: "",
        intent: { symbol: trade.symbol, side: trade.side, type: "market", quantity },
        quote: { price, traded_at: AT, price_source: "live_quote" },
        sizing: { quantity },
      } as unknown as Preview;
    },
    async check(order) {
      calls.push(`check ${order.side} ${order.quantity} ${order.symbol}`);
      return CHECKED;
    },
    async execute(trade) {
      calls.push(
        `execute ${text(trade)}${trade.idempotency_key === undefined ? "" : ` as ${trade.idempotency_key}`}`,
      );
      const failure = fails[trade.symbol];
      if (failure !== undefined) throw failure;
      const quantity = trade.quantity ?? "5";
      const filled = { filled_quantity: quantity, average_price: price, fees: "1" };
      return { order: order({ ...filled, intent: { ...trade, quantity } }), repeated: false };
    },
  };
  return { actions, calls };
}

const seen = (
  symbol: string,
  free: AgentVerdict["action"],
  held: AgentVerdict["action"],
  over: Partial<AgentVerdict> = {},
) =>
  ({
    requested: symbol,
    error: null,
    analysis: {
      symbol,
      asset_class: "equity",
      figures: { symbol },
      decide: (holds: boolean) => ({ action: holds ? held : free, reason: `Because of ${symbol}`, ...over }),
    } satisfies SymbolAnalysis<{ symbol: string }>,
  }) as const;
const buying = (symbol: string, over: Partial<AgentVerdict> = {}) => seen(symbol, "buy", "hold", over);
const selling = (symbol: string) => seen(symbol, "hold", "sell");

const pass = (over: Partial<PassRequest> = {}) => ({
  agent: "momentum",
  timeframe: "1d" as const,
  symbols: [],
  dry_run: false,
  quantity: "2",
  ...over,
});
const run = (
  analyses: readonly AnalysisOutcome<unknown>[],
  world: World = {},
  over: Partial<PassRequest> = {},
) => {
  const { actions, calls } = passActions(world);
  return runPass(pass(over), analyses, actions).then((result) => ({ ...result, calls }));
};

describe("a pass", () => {
  it("sells before it buys and returns decisions in request order", async () => {
    const { decisions, calls, budget, summary } = await run([buying("AAPL"), selling("MSFT")], {
      held: { MSFT: "7.5" },
    });
    expect(calls).toEqual(["sync", "execute sell 7.5 MSFT", "preview buy 2 AAPL", "execute buy 2 AAPL"]);
    expect(decisions.map(({ symbol, action, why, held }) => [symbol, action, why, held])).toEqual([
      ["AAPL", "buy", "Because of AAPL.", "0"],
      ["MSFT", "sell", "Because of MSFT.", "7.5"],
    ]);
    // the ticket of a placed order must not be sent as well
    expect(decisions[0]!.trade).toMatchObject({ price: "100", ticket_id: null, expires_at: null });
    // 2 at 100 and a fee of 1; sales do not add to the budget
    expect(budget).toEqual({ limit: null, spent: "201", left: null });
    expect(summary).toBe("2 symbols: 1 to buy, 1 to sell, 0 to hold; 2 orders were placed.");
  });

  it("places nothing in a dry run, but counts previews against the budget", async () => {
    const { decisions, calls, budget } = await run(
      [buying("AAPL"), buying("MSFT"), buying("TSLA")],
      {},
      { dry_run: true, budget_usd: "450" },
    );
    expect(calls.filter((one) => one.startsWith("execute"))).toEqual([]);
    expect(decisions.map(({ refused }) => refused?.message ?? null)).toEqual([
      null,
      null,
      "2 at 100 USD cost 200 USD, but only 50 USD of the 450 USD budget are left: set budget_usd to 600 or buy at most 0.5 units",
    ]);
    expect(decisions.map(({ trade }) => [trade?.cost, trade?.ticket_id === null])).toEqual([
      ["200", false],
      ["200", false],
      ["200", true],
    ]);
    expect(budget).toEqual({ limit: "450", spent: "0", left: "450" });
  });

  it("stops buying when the amounts paid, with fees, exhaust the budget", async () => {
    const { decisions, budget, calls } = await run(
      [buying("AAPL"), buying("MSFT")],
      {},
      { budget_usd: "400.99" },
    );
    expect(
      decisions.map(({ action, order: placed, refused }) => [action, placed === null, refused?.code]),
    ).toEqual([
      ["buy", false, undefined],
      ["buy", true, "REFUSED"],
    ]);
    expect(budget).toEqual({ limit: "400.99", spent: "201", left: "199.99" });
    expect(calls.filter((one) => one.startsWith("execute"))).toEqual(["execute buy 2 AAPL"]);
  });

  it("derives the idempotency key from agent, run, symbol and side, and repeats no order", async () => {
    const first = await run([buying("AAPL")], {}, { run_id: "r-1" });
    expect(first.calls).toContain("execute buy 2 AAPL as momentum r-1 AAPL buy");
    const { order_id, intent } = before;
    const filled = order({ order_id, filled_quantity: "2", average_price: "99", fees: "0.5", intent });
    // held by now, so there would be no new purchase
    const again = await run(
      [buying("AAPL"), buying("MSFT")],
      { sent: [filled], held: { AAPL: "2" } },
      { run_id: "r-1", budget_usd: "398" },
    );
    expect(again.decisions[0]).toMatchObject({
      action: "buy",
      repeated: true,
      order: { order_id },
      why: `An earlier pass of this run_id placed the order ${order_id} to buy 2; no new order was placed.`,
    });
    expect(again.calls.filter((one) => one.startsWith("execute"))).toEqual([]);
    // 198.5 were taken before: 199.5 are left, and 200 are requested
    expect(again.budget).toEqual({ limit: "398", spent: "198.5", left: "199.5" });
    expect(idempotencyKeyOf({ agent: "momentum" }, "AAPL", "buy")).toBeNull();
  });

  it("charges working purchases of the run at the current price, analyzed or not", async () => {
    const again = (analyses: readonly AnalysisOutcome<unknown>[]) =>
      run(analyses, { working: [before] }, { run_id: "r-1", budget_usd: "399" });
    const { decisions, budget, calls } = await again([buying("AAPL"), buying("MSFT")]);
    expect(decisions.map(({ action, repeated, refused }) => [action, repeated, refused?.code])).toEqual([
      ["buy", true, undefined],
      ["buy", false, "REFUSED"],
    ]);
    expect(budget).toEqual({ limit: "399", spent: "200", left: "199" });
    expect(calls.filter((one) => one.startsWith("execute"))).toEqual([]);
    const unavailable = {
      requested: "aapl",
      analysis: null,
      error: new ToolError("UPSTREAM_UNAVAILABLE", "Silent"),
    };
    const without = await again([unavailable, buying("MSFT")]);
    expect(without.decisions[0]).toMatchObject({ repeated: true, order: before });
    expect(without.decisions[1]!.refused?.code).toBe("REFUSED");
    // partly filled: what was paid, its fee, and one more at 100
    const partly = { ...before, filled_quantity: "1", average_price: "90", fees: "1" };
    const more = await run([], { working: [partly] }, { run_id: "r-1", budget_usd: "399" });
    expect(more.budget).toEqual({ limit: "399", spent: "191", left: "208" });
  });

  it("charges the whole remaining budget for a working purchase without a price", async () => {
    const { actions } = passActions({ working: [before] });
    const unavailable: PassActions = {
      ...actions,
      preview: async () => Promise.reject(new ToolError("NO_PRICE", "AAPL has no price")),
    };
    const { budget } = await runPass(pass({ run_id: "r-1", budget_usd: "399" }), [], unavailable);
    expect(budget).toEqual({ limit: "399", spent: "399", left: "0" });
  });

  it("takes no action on stale data", async () => {
    const old = { stale: "no source of its bars answers now" };
    const bought = { ...buying("AAPL"), analysis: { ...buying("AAPL").analysis, ...old } };
    const sold = { ...selling("MSFT"), analysis: { ...selling("MSFT").analysis, ...old } };
    const { decisions, calls } = await run([bought, sold], { held: { MSFT: "7" } });
    expect(decisions.map(({ action, why }) => [action, why])).toEqual([
      ["hold", "Because of AAPL; no action, because no source of its bars answers now."],
      ["hold", "Because of MSFT; no action, because no source of its bars answers now."],
    ]);
    expect(calls).toEqual(["sync"]);
  });

  it("trades no ambiguous symbol, and lists the alternatives", async () => {
    const { analysis } = buying("LINK");
    const others = [{ symbol: "LINK-USD", asset_class: "crypto" }] as const;
    const { decisions, calls } = await run([
      { requested: "LINK", analysis: { ...analysis, others }, error: null },
    ]);
    expect(decisions[0]).toMatchObject({
      action: "buy",
      order: null,
      trade: null,
      refused: {
        code: "INVALID_INPUT",
        hint: "Pass one of: LINK.US (equity), LINK-USD (crypto).",
        message: "The symbol LINK is ambiguous",
      },
    });
    expect(calls).toEqual(["sync"]);
  });

  it("treats a working purchase as held, and sells nothing twice", async () => {
    const buys = order({ status: "working", intent: { symbol: "AAPL", side: "buy", quantity: "2" } });
    const sells = order({ status: "working", intent: { symbol: "MSFT", side: "sell", quantity: "7" } });
    const elsewhere = { ...buys, connection_id: "cn_other", intent: { ...buys.intent, symbol: "TSLA" } };
    const { decisions, calls } = await run(
      [buying("AAPL"), selling("MSFT"), seen("AAPL2", "hold", "hold"), buying("TSLA")],
      { working: [buys, sells, elsewhere], held: { MSFT: "7" } },
    );
    expect(decisions.map(({ symbol, action }) => [symbol, action])).toEqual([
      ["AAPL", "hold"],
      ["MSFT", "hold"],
      ["AAPL2", "hold"],
      ["TSLA", "buy"],
    ]);
    expect(decisions[0]!.why).toBe(
      `Because of AAPL, and the order ${buys.order_id} to buy 2 is already working: cancel_order cancels it.`,
    );
    expect(decisions[1]!.why).toBe(
      `Because of MSFT, and the order ${sells.order_id} to sell 7 is already working: cancel_order cancels it.`,
    );
    expect(calls).toEqual(["sync", "preview buy 2 TSLA", "execute buy 2 TSLA"]);
    const unfilled = await run([selling("AAPL")], { working: [buys] });
    expect(unfilled.decisions[0]).toMatchObject({ action: "hold", why: expect.stringContaining("to buy 2") });
  });

  it("does not trade short positions", async () => {
    const { decisions, calls } = await run([seen("AAPL", "buy", "sell")], { held: { AAPL: "-3" } });
    expect(decisions[0]).toMatchObject({
      action: "hold",
      held: "-3",
      why: "AAPL is held short, -3 units, which agents do not trade.",
    });
    expect(calls).toEqual(["sync"]);
  });

  it("proposes tickets at a live account and sends none", async () => {
    const live = { ...connection, account_type: "live" as const };
    const { decisions, calls, notes } = await run([buying("AAPL"), selling("MSFT")], {
      connections: [live],
      held: { MSFT: "1" },
    });
    expect(calls).toEqual(["sync", "preview sell 1 MSFT", "preview buy 2 AAPL"]);
    for (const { refused, trade, order: placed } of decisions) {
      expect(placed).toBeNull();
      expect(refused!.hint).toContain(`confirms ticket ${trade!.ticket_id} in the terminal of the server`);
    }
    expect(notes).toEqual(["Live account: every trade is a proposal that its owner must confirm."]);
  });

  it("sizes by half a percent of equity on paper by default, and by the owner's share live", async () => {
    const { quantity: _, ...withoutSize } = pass();
    const paper = passActions();
    await runPass(withoutSize, [buying("AAPL", { stop: 91.23456, target: null })], paper.actions);
    expect(paper.calls.at(-1)).toBe("execute buy 0.5% AAPL stop 91.23");
    const live = passActions({ connections: [{ ...connection, account_type: "live" }] });
    await runPass(withoutSize, [buying("AAPL")], live.actions);
    expect(live.calls.at(-1)).toBe("preview buy default AAPL");
    await expect(run([], {}, { risk_pct: "1" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("trades a share of the size on paper, and none of it live", async () => {
    const half = { size: 0.5 };
    const analyses = [buying("AAPL", half), seen("MSFT", "hold", "sell", half)];
    const held = { MSFT: "7.5" };
    const { calls } = await run(analyses, { held });
    expect(calls).toEqual(["sync", "execute sell 3.75 MSFT", "preview buy 1 AAPL", "execute buy 1 AAPL"]);
    const { quantity: _, ...withoutSize } = pass();
    const paper = passActions();
    await runPass(withoutSize, analyses, paper.actions);
    await runPass({ ...withoutSize, risk_pct: "1" }, analyses, paper.actions);
    expect(paper.calls.filter((call) => call.startsWith("execute"))).toEqual([
      "execute buy 0.25% AAPL",
      "execute buy 0.5% AAPL",
    ]);
    const live = await run(analyses, { held, connections: [{ ...connection, account_type: "live" }] });
    expect(live.calls).toEqual(["sync"]);
    expect(live.decisions.map(({ action, why }) => [action, why])).toEqual([
      ["hold", "Because of AAPL; no action, because the account is live."],
      ["hold", "Because of MSFT; no action, because the account is live."],
    ]);
  });

  it("returns a refusal with its decision and continues; errors that end the call reject", async () => {
    const refusal = new ToolError("REFUSED", "Refused by market_hours", { hint: "Wait." });
    const analyses = [buying("AAPL"), buying("MSFT")];
    const { decisions } = await run(analyses, { fails: { AAPL: refusal } });
    expect(decisions.map(({ order: placed, refused }) => [placed !== null, refused])).toEqual([
      [false, { code: "REFUSED", message: "Refused by market_hours", hint: "Wait." }],
      [true, null],
    ]);
    for (const code of ["CANCELLED", "DEADLINE", "INTERNAL"] as const)
      await expect(run(analyses, { fails: { AAPL: new ToolError(code, "over") } })).rejects.toMatchObject({
        code,
      });
  });

  it("holds a symbol that could not be analyzed and decides on each instrument once", async () => {
    const outcomes = [
      { output: "AAPL", error: null },
      { output: null, error: new ToolError("UNKNOWN_SYMBOL", "ZZZZ is not known here") },
      { output: "AAPL", error: null },
    ] as const;
    const analyses = toAnalysisOutcomes(["aapl", "ZZZZ", "Apple"], outcomes, (name) => buying(name).analysis);
    const { decisions } = await run(analyses);
    expect(decisions.map(({ symbol, action, figures }) => [symbol, action, figures])).toEqual([
      ["AAPL", "buy", { symbol: "AAPL" }],
      ["ZZZZ", "hold", null],
    ]);
    expect(decisions[1]).toMatchObject({
      why: "No action, because its analysis failed: ZZZZ is not known here.",
      refused: { code: "UNKNOWN_SYMBOL", message: "ZZZZ is not known here", hint: null },
    });
  });

  it("checks the purchases of a dry run on paper for another broker, and no other trade", async () => {
    const checksOf = async (world: World, over: Partial<PassRequest>) => {
      const { calls, notes } = await run([buying("AAPL"), selling("MSFT")], world, over);
      return [calls.filter((one) => one.startsWith("check")), notes.slice(1)];
    };
    const world = { held: { MSFT: "7" } };
    const live = { ...connection, account_type: "live" as const };
    expect(await checksOf(world, { dry_run: true })).toEqual([
      ["check buy 2 AAPL"],
      [
        "Checked as orders at another broker. Its account is not known here; check_order takes what is missing. Not checked: spread.",
        "warn: buy 2 AAPL, at the market; opens. stop_missing: none.",
      ],
    ]);
    expect(await checksOf({ ...world, connections: [live] }, { dry_run: true })).toEqual([[], []]);
    expect((await checksOf(world, {}))[0]).toEqual([]);
    expect((await checksOf(world, { dry_run: true, budget_usd: "100" }))[0]).toEqual([]);
  });

  it("decides without holdings while no paper account is connected", async () => {
    const none = { connections: [] };
    const { decisions, connection: of, notes } = await run([buying("AAPL")], none, { dry_run: true });
    expect(of).toBeNull();
    expect(decisions[0]).toMatchObject({
      action: "buy",
      held: null,
      trade: null,
      refused: { code: "REFUSED", hint: "Set dry_run to false: the run opens one, and no money moves." },
    });
    expect(notes[0]).toBe(
      "Holdings are unknown: no paper account is connected. A run with dry_run false opens one.",
    );
  });

  it("trades in a paper account of its own on a plan that connects no brokers, and never on a live one", async () => {
    const openPaper = async () => connection;
    const live = { ...connection, connection_id: `cn_${"2".repeat(20)}`, account_type: "live" as const };
    const { connection: opened } = await run([buying("AAPL")], { connections: [], openPaper });
    expect(opened?.connection_id).toBe(ID);
    expect((await run([], { connections: [live], openPaper })).connection?.connection_id).toBe(ID);
    expect((await run([], { connections: [live], openPaper }, { dry_run: true })).connection).toBeNull();
    await expect(
      run([], { connections: [live], openPaper }, { connection_id: live.connection_id }),
    ).rejects.toMatchObject({ code: "PLAN_REQUIRED", data: { required_plan: "pro" } });
  });

  it("selects the only connection, else the only paper connection", async () => {
    const other = { ...connection, connection_id: `cn_${"2".repeat(20)}` };
    const live = { ...other, account_type: "live" as const };
    expect((await run([], { connections: [live, connection] })).connection?.connection_id).toBe(ID);
    await expect(run([], { connections: [connection, other] })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    const unknown = { connection_id: `cn_${"3".repeat(20)}` };
    await expect(run([], {}, unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(run([], { connections: [] }, { ...unknown, dry_run: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
