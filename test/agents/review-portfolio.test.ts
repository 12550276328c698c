import { describe, expect, it } from "vitest";
import { reviewPortfolio } from "../../agents/review-portfolio.ts";
import { DEFAULT_LIMITS } from "../../src/analytics/risk/limits.ts";
import type { Ports } from "../../src/domain/ports.ts";
import type { PositionRecord } from "../../src/domain/trading/positions-port.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { brokerMarket } from "../support/brokers.ts";
import { NOW, usualRules } from "../support/context.ts";
import { fixedQuotes, quote, watchlistsOf } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, tradeMarket, trader } from "../support/trades.ts";

const { ports } = await tradeMarket();
const at = NOW.toISOString();
const timestamp = at;
const quotes = fixedQuotes({
  AAPL: quote({ price: 138, timestamp }),
  MSFT: quote({ price: 162, timestamp }),
  TSLA: quote({ price: 138, timestamp }),
});
const held = (
  symbol: string,
  quantity: string,
  averagePrice: string,
  stop: number | null,
): PositionRecord => ({
  symbol,
  quantity,
  averagePrice,
  since: at,
  opening: {
    at,
    direction: "LONG",
    grade: "A",
    score: 80,
    stop,
    stopSource: stop === null ? null : "signal",
  },
});
const HELD = [
  held("AAPL", "100", "130", 128),
  held("MSFT", "-50", "160", 161),
  held("TSLA", "10", "100", null),
  held("NVDA", "5", "100", 90),
];
/** Brokers that hold these positions. */
const holding = (positions: readonly PositionRecord[]) =>
  ({
    ...ports.brokers,
    open: () => ({
      positions: async () => positions,
      orders: async () => [],
      account: async () => ({ number: "PA4242", equity: "20000", equityBefore: null }),
    }),
  }) as unknown as Ports["brokers"];
await ports.positionRepository.saveSynced(trader.account, {
  connection: CONNECTION,
  at,
  positions: HELD,
});
const on = (account = trader.account, over: Partial<Ports> = {}) => ({
  ports: { ...ports, quotes, brokers: holding(HELD), ...over },
  principal: { ...trader, account },
  transport: "test",
});
const review = (over: Partial<Ports> = {}) => invoke(reviewPortfolio, {}, on(undefined, over));

describe("review_portfolio", () => {
  it("returns no positions for an account that never traded", async () => {
    expect(await invoke(reviewPortfolio, {}, on("nobody"))).toMatchObject({
      ok: true,
      positions: [],
      count: 0,
      summary: "No positions.",
      connections: [{ broker: "paper" }],
      concentration: { gross: "0", net: "0", largest: null, herfindahl: null },
      open_risk: { amount: "0", unstopped: [], least_equity: "0" },
      hint: null,
    });
  });

  it("returns the weight of each position, shorts by size, and what its stop would cost", async () => {
    const { positions } = await review();
    // last closes without a quote: NVDA rises from 100 by .0625 over 299 bars to 118.6875
    // 13,800 + 8,100 + 1,380 + 593.4375 = 23,873.44 gross, each to the cent
    expect(
      positions.map(({ symbol, market_value, weight_pct, open_risk }) => [
        ...[symbol, market_value, weight_pct, open_risk],
      ]),
    ).toEqual([
      ["AAPL", "13800", 57.8, "200"],
      ["MSFT", "-8100", 33.93, "50"],
      ["TSLA", "1380", 5.78, null],
      ["NVDA", "593.44", 2.49, "50"],
    ]);
    const [apple, microsoft] = positions;
    expect(apple!.edge).toMatchObject({ stop_breached: false, signal: { direction: "LONG", grade: "A+" } });
    // sold short with a stop at 161, and the price is 162
    expect(microsoft!.edge).toMatchObject({ action: "EXIT", stop_breached: true });
  });

  it("returns the concentration", async () => {
    const { concentration } = await review();
    // .578048^2 + .339289^2 + .057805^2 + .024858^2 = .4532
    expect(concentration).toEqual({
      gross: "23873.44",
      net: "7673.44",
      largest: { symbol: "AAPL", weight_pct: 57.8 },
      herfindahl: 0.4532,
      effective_positions: 2.21,
      unpriced: [],
    });
  });

  it("compares the open risk with the owner's limit", async () => {
    const { open_risk } = await review();
    // 200 + 50 + 50 USD from cost; the market counts at the limit of 6% of equity
    expect(DEFAULT_LIMITS.max_open_risk_pct).toBe("6");
    expect(open_risk).toEqual({
      amount: "300",
      // 100 x (138 - 128) and 593.44 - 5 x 90; the price of MSFT has passed its stop
      amount_from_market: "1143.44",
      unstopped: ["TSLA"],
      max_open_risk_pct: "6",
      least_equity: "19057.34",
    });
    const tradeRules = {
      ...usualRules,
      limits: async () => ({
        limits: { ...DEFAULT_LIMITS, max_open_risk_pct: null, max_notional_usd: "10000" },
        set: {},
        setAt: null,
      }),
    };
    const lax = await review({ tradeRules });
    expect(lax.open_risk).toMatchObject({ max_open_risk_pct: null, least_equity: null });
    expect(lax.positions.map((row) => row.over_max_notional)).toEqual([true, false, false, false]);
    expect(lax.summary).toContain("Larger than the maximum for one order: AAPL.");
    expect(lax.summary).toContain(
      "Loss at all known stops: 300 USD from cost, 1143.44 USD from the market, no limit is set.",
    );
  });

  it("returns a summary", async () => {
    const { summary, connections } = await review();
    expect(summary).toMatch(
      /^4 positions, 23873\.44 USD gross\. EXIT: MSFT; .*Stops reached: MSFT\. Largest: AAPL at 57\.8%; as concentrated as 2\.21 equal positions\. Loss at all known stops: 300 USD from cost, 1143\.44 USD from the market, the latter within the limit of 6% if equity is at least 19057\.34 USD\. No known stop: TSLA\.$/,
    );
    expect(connections).toMatchObject([{ connection_id: CONNECTION, account_type: "paper" }]);
  });

  it("excludes a position without a price from the weights, and notes it", async () => {
    const rows = [held("AAPL", "1", "130", 128), held("KO", "1", "60", 50)];
    const book = {
      ...ports.positionRepository,
      listSynced: async () => [{ connection: CONNECTION, at, positions: rows }],
    };
    const over = { positionRepository: book, brokers: holding(rows) };
    const { concentration, positions, summary, open_risk } = await review(over);
    // the stops of AAPL and KO: 10 USD from the price of 138, 10 USD from the cost of 60
    expect(open_risk).toMatchObject({ amount: "12", amount_from_market: "20" });
    expect(positions.map(({ symbol, weight_pct }) => [symbol, weight_pct])).toEqual([
      ["AAPL", 100],
      ["KO", null],
    ]);
    expect(concentration.unpriced).toEqual(["KO"]);
    expect(summary).toContain("No price, not included in the weights and at risk from cost: KO.");
    // bought at 60 with a stop at 70: what is lost from a price above 70 is unknown
    const rising = [rows[0]!, held("KO", "1", "60", 70)];
    const listSynced = async () => [{ connection: CONNECTION, at, positions: rising }];
    const winner = { positionRepository: { ...book, listSynced }, brokers: holding(rising) };
    expect((await review(winner)).summary).toContain(
      "Loss at all known stops: 2 USD from cost, unknown from the market, so its limit of 6% cannot be checked. No price, not included in the weights: KO.",
    );
  });

  it("reviews one connection, but none of another account", async () => {
    const call = (account: string) => invoke(reviewPortfolio, { connection_id: CONNECTION }, on(account));
    expect((await call(trader.account)).count).toBe(4);
    await expect(call("two")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("reviews symbols and a watchlist without any broker", async () => {
    const watchlists = watchlistsOf({ tech: ["MSFT", "AAPL"] });
    const answer = await invoke(
      reviewPortfolio,
      { symbols: ["AAPL"], watchlist: "Tech" },
      on("nobody", { watchlists }),
    );
    expect(answer.signals.map(({ symbol }) => symbol).sort()).toEqual(["AAPL", "MSFT"]);
    expect(answer).toMatchObject({ positions: [], count: 0, errors: [], hint: null });
    expect(answer.summary).toMatch(
      /^Signals: \w+ (LONG|WAIT|SHORT), [^,]*grade [^,]* \([\d.]+\), \w+ [^,]+, [^,]*grade [^,]+\. None of these symbols is held\.$/,
    );
  });

  it("reviews only the positions in the given symbols", async () => {
    const answer = await invoke(reviewPortfolio, { symbols: ["aapl", "SPY"] }, on());
    expect(answer.positions.map(({ symbol, weight_pct }) => [symbol, weight_pct])).toEqual([["AAPL", 100]]);
    expect(answer.summary).toContain("Held: 1 position, 13800 USD gross.");
    expect(await review()).toMatchObject({ signals: [], errors: [], notes: [] });
  });

  it("names the watchlists that exist if a watchlist does not", async () => {
    const watchlists = watchlistsOf({ tech: ["MSFT"], coins: ["BTC-USD"] });
    await expect(
      invoke(reviewPortfolio, { watchlist: "teck" }, on(undefined, { watchlists })),
    ).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: 'There is no watchlist "teck"',
      hint: "Watchlists of this account: tech, coins; save_watchlist creates one.",
      data: { watchlists: ["tech", "coins"] },
    });
  });

  it("checks the order that closes each imported position to exit", async () => {
    const imported = [held("MSFT", "-50", "160", 161), held("AAPL", "2.5", "150", 140), HELD[2]!];
    const positionRepository = {
      ...ports.positionRepository,
      listImported: async () => [{ label: "IRA", at, positions: imported }],
    };
    const { notes, summary } = await review({ positionRepository });
    expect(summary).toContain("EXIT: MSFT, AAPL;");
    expect(notes).toEqual([
      "Checked as orders at another broker. Of its account, only the imported positions are known here; check_order takes what is missing. Not checked: spread; share of equity, open risk, drawdown; duplicates.",
      "ok: buy_to_cover 50 MSFT, at the market; closes.",
      "ok: sell 2.5 AAPL, at the market; closes.",
    ]);
  });

  it("is read-only, and has the plan of its tools", () => {
    expect(reviewPortfolio).toMatchObject({
      toolset: "agents",
      plan: "pro",
      effect: "read",
      uses: ["list_positions", "list_connections", "get_risk_limits", "scan_symbols", "check_order"],
    });
  });
});

const empty = await brokerMarket();
toolContract(reviewPortfolio, { ports: empty.ports });
