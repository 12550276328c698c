import { beforeAll, describe, expect, it } from "vitest";
import { checkOrder } from "../../../tools/check-order.ts";
import { withParts } from "../../support/check-answers.ts";
import { countingMeters } from "../../support/context.ts";
import { fileMarket } from "../../support/file-market.ts";
import { describeWithData } from "../../support/test-data.ts";
import { callerOf } from "../../support/tool-call.ts";

const AS_OF = "2026-05-29T15:00:00Z";
const SNAPSHOT = {
  as_of: AS_OF,
  account: { equity: 50_000, buying_power: 40_000, equity_before: 50_100, margin: true },
  positions: [
    { symbol: "MSFT", quantity: 20, average_price: 400.1 },
    { symbol: "KO", quantity: 60, average_price: 70 },
  ],
  open_orders: [],
  recent_trades: [],
};
const quoted = (price: number, at = AS_OF) => ({ price, bid: price - 0.01, ask: price + 0.01, at });

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof callOver>>>>;
type Call = (input: Readonly<Record<string, unknown>>) => Promise<Answer>;

const callOver = async (dir: string) => {
  const { meters } = countingMeters({ burst: 1_000, day: 1_000 });
  return withParts(callerOf(checkOrder, { ...(await fileMarket(dir, "2026-06-01T12:00:00Z")), meters }));
};

/** A rule as `rule level value limit -> change that passes`. */
const rulesOf = ({ rules }: Answer): readonly string[] =>
  rules.map(({ rule, level, value, limit, would_pass }) =>
    [`${level} ${rule}: ${value} of ${limit}`, ...(would_pass === undefined ? [] : [would_pass])].join(
      " -> ",
    ),
  );
const percentOf = (share: number | null | undefined) => (share == null ? null : Math.round(100 * share));
/** Stop first, target first and neither in percent, of the forecast and of past windows. */
function oddsOf({ odds }: Answer) {
  const shares = (of: NonNullable<Answer["odds"]>["base"] | Answer["odds"]) =>
    [of?.stop_first, of?.target_first, of?.neither].map(percentOf);
  return { forecast: shares(odds), base: shares(odds?.base) };
}
/** Expects odds within three points of these, and with a sum of 100. */
function expectOdds(answer: Answer, forecast: readonly number[], base: readonly number[]): void {
  const found = oddsOf(answer);
  for (const [shares, expected] of [
    [found.forecast, forecast],
    [found.base, base],
  ] as const) {
    expect(shares.reduce<number>((sum, share) => sum + share!, 0)).toBe(100);
    for (const [i, share] of shares.entries()) expectNear(share, expected[i]!);
  }
}
const expectNear = (share: number | null, expected: number) =>
  expect(Math.abs(share! - expected), `${share} against ${expected}`).toBeLessThanOrEqual(3);
const fillOf = ({ odds }: Answer) => [percentOf(odds?.fill), percentOf(odds?.fill_base)];

describeWithData("worked cases over daily files", ["ohlcv", "us_daily"], (dir) => {
  let call: Call;
  beforeAll(async () => {
    const over = await callOver(dir);
    call = async (input) => {
      const { length } = JSON.stringify(await over({ ...SNAPSHOT, ...input, detail: "concise" }));
      // 2.9 characters a token: at most 700 tokens
      expect(length).toBeLessThan(2_000);
      return over({ ...SNAPSHOT, ...input });
    };
  });

  it("01: a small bracket passes every rule", async () => {
    const answer = await call({
      symbol: "PFE",
      side: "buy",
      quantity: 150,
      type: "limit",
      limit_price: 26.19,
      stop_loss: 25,
      take_profit: 28.5,
      quote: quoted(26.19),
    });
    expect(answer).toMatchObject({
      verdict: "ok",
      rules: [],
      // 150 x (26.19 - 25); 150 x 26.19
      loss: {
        at_stop: 178.5,
        at_stop_pct: 0.36,
        gap_99: 83.26,
        gap_worst: 316.15,
        gaps_beyond_stop: 3,
        worst: 3928.5,
      },
      adds: {
        position_pct: 7.86,
        open_risk_before_pct: 1.18,
        open_risk_pct: 1.53,
        day_sd_before_pct: 0.26,
        day_sd_pct: 0.28,
        nearest: ["KO 0.21", "MSFT -0.10"],
        gross_pct: 34.59,
      },
    });
    expect(oddsOf(answer)).toEqual({ forecast: [36, 14, 50], base: [53, 19, 28] });
    expectOdds(answer, [35, 14, 51], [53, 19, 28]);
  });

  it("02: an order without stop and snapshot is a warning that says what to send", async () => {
    const { as_of } = SNAPSHOT;
    const over = await callOver(dir);
    const answer = await over({ as_of, symbol: "AAPL", side: "buy", quantity: 10, quote: quoted(311.78) });
    expect(answer.verdict).toBe("warn");
    expect(rulesOf(answer)).toEqual(["warn stop_missing: none of a stop_loss -> stop_loss 300.63"]);
    expect(answer.unknown.flatMap(({ send, required }) => (required ? [send] : []))).toEqual([
      "account.equity",
      "positions ([] if none)",
    ]);
  });

  it("03: exits on the wrong sides stop, without a loss at the stop and without odds", async () => {
    const answer = await call({
      symbol: "AAPL",
      side: "buy",
      quantity: 10,
      stop_loss: 330,
      take_profit: 300,
      quote: quoted(311.78),
    });
    expect(answer).toMatchObject({ verdict: "stop", odds: null, loss: { at_stop: null } });
    expect(rulesOf(answer)).toEqual([
      "stop stop_loss_side: 330 USD of 311.78 USD -> stop_loss below 311.78",
      "stop take_profit_side: 300 USD of 311.78 USD -> take_profit above 311.78",
    ]);
  });

  it("04: a stop inside a daily range and a large position warn", async () => {
    const answer = await call({
      symbol: "NVDA",
      side: "buy",
      quantity: 60,
      stop_loss: 212.5,
      take_profit: 225,
      quote: quoted(214.58),
    });
    expect(answer).toMatchObject({
      verdict: "warn",
      passing_quantity: "46",
      // 60 x (214.58 - 212.50)
      loss: { at_stop: 124.8, gap_99: 612.96, gap_worst: 1825.54, gaps_beyond_stop: 222 },
    });
    expect(rulesOf(answer)).toEqual([
      "warn stop_in_noise: 0.29 ATR14 of 1 ATR14 -> stop_loss 207.41",
      "warn gap_risk: 4.9 x the loss at the stop of 2 x the loss at the stop",
      "warn position_share: 25.75 % of equity of 20 % of equity -> quantity 46",
    ]);
    expect(oddsOf(answer)).toEqual({ forecast: [81, 19, 0], base: [76, 24, 0] });
  });

  it("05: an order beyond the buying power and the risk of one trade stops", async () => {
    const answer = await call({
      symbol: "TSLA",
      side: "buy",
      quantity: 120,
      stop_loss: 400,
      take_profit: 520,
      quote: quoted(439.85),
    });
    expect(answer).toMatchObject({
      verdict: "stop",
      passing_quantity: "12",
      loss: { at_stop: 4_782, worst: 52_782 },
    });
    expect(rulesOf(answer)).toEqual([
      "stop buying_power: 52782 USD of 40000 USD -> quantity 90",
      "stop trade_risk: 9.56 % of equity of 1 % of equity -> quantity 12",
      "warn max_open_risk_pct: 4782 USD of 2412.08 USD -> quantity 60",
      "warn position_share: 105.56 % of equity of 20 % of equity -> quantity 22",
    ]);
    expectOdds(answer, [38, 15, 47], [51, 23, 26]);
  });

  it("06: a limit far below has odds of its fill, then of its exits", async () => {
    const answer = await call({
      symbol: "AAPL",
      side: "buy",
      quantity: 15,
      type: "limit",
      limit_price: 295,
      stop_loss: 285,
      take_profit: 325,
      quote: quoted(311.78),
    });
    expect(answer).toMatchObject({ verdict: "ok", rules: [], loss: { at_stop: 150 } });
    expect(fillOf(answer)).toEqual([33, 40]);
    expect(oddsOf(answer)).toEqual({ forecast: [44, 5, 51], base: [56, 13, 31] });
  });

  it("08: a sale of more than is held stops, and nothing else of the phantom short is assessed", async () => {
    const answer = await call({ symbol: "MSFT", side: "sell", quantity: 50, quote: quoted(432.55) });
    expect(answer).toMatchObject({ verdict: "stop", passing_quantity: "20", loss: null, odds: null });
    expect(rulesOf(answer)).toEqual(["stop oversell: 50 units of 20 units -> quantity 20"]);
    // what is left is the position in KO
    expect(answer.adds).toMatchObject({ position_pct: 0, day_sd_before_pct: 0.26, day_sd_pct: 0.1 });
  });

  it("09: a plain exit passes, with the odds of its fill", async () => {
    const exit = { symbol: "MSFT", side: "sell", quantity: 20, type: "limit", limit_price: 433 };
    const answer = await call({ ...exit, quote: quoted(432.55) });
    expect(answer).toMatchObject({ verdict: "ok", rules: [], loss: null });
    expect(answer.order).toBe("sell 20 MSFT, limit 433; closes");
    expect(fillOf(answer)).toEqual([96, 96]);
  });

  it("10: the twin of a working order stops", async () => {
    const working = {
      id: "1",
      symbol: "AAPL",
      side: "buy",
      qty: "10",
      type: "limit",
      limit_price: "310",
      status: "new",
      created_at: "2026-05-29T14:30:00Z",
    };
    const answer = await call({
      symbol: "AAPL",
      side: "buy",
      quantity: 10,
      type: "limit",
      limit_price: 310,
      stop_loss: 300,
      quote: quoted(311.78),
      open_orders: [working],
    });
    expect(answer).toMatchObject({ verdict: "stop", passing_quantity: null });
    expect(rulesOf(answer)).toEqual([
      "stop duplicate: the same order works of no other order -> cancel the working order first",
    ]);
  });

  it("11: an order that moves with the holdings warns", async () => {
    const row = (symbol: string, position: number, avgPrice: number, mktPrice: number) => ({
      contract: { symbol },
      position,
      avgPrice,
      mktPrice,
    });
    const answer = await call({
      symbol: "QQQ",
      side: "buy",
      quantity: 9,
      stop_loss: 700,
      take_profit: 800,
      quote: quoted(737.84),
      positions: [row("VOO", 20, 600, 695), row("NVDA", 30, 150, 214.6), row("MSFT", 15, 420, 432.6)],
    });
    expect(answer).toMatchObject({
      verdict: "warn",
      passing_quantity: "8",
      adds: { nearest: ["VOO 0.95", "NVDA 0.69", "MSFT 0.44"], day_sd_before_pct: 0.55, day_sd_pct: 0.67 },
    });
    expect(rulesOf(answer)).toEqual([
      "warn correlated_share: 41.08 % of equity of 40 % of equity -> quantity 8",
    ]);
    expectOdds(answer, [28, 8, 64], [32, 14, 54]);
  });

  it("13: a market order for extended hours stops, and a wide spread warns", async () => {
    const answer = await call({
      as_of: "2026-05-29T22:30:00Z",
      symbol: "HOOD",
      side: "buy",
      quantity: 30,
      stop_loss: 86,
      take_profit: 115,
      extended_hours: true,
      quote: { price: 94.1, bid: 93.2, ask: 95, at: "2026-05-29T22:29:00Z" },
    });
    expect(answer).toMatchObject({ verdict: "stop", price: { session: "post" } });
    expect(rulesOf(answer)).toEqual([
      "stop session: post of regular -> type limit with limit_price",
      "warn spread: 1.91 % of 0.5 % -> type limit, limit_price 94.10",
    ]);
    expectOdds(answer, [61, 23, 16], [56, 27, 17]);
  });

  it("17: a call that costs more than one percent of equity warns", async () => {
    const answer = await call({
      symbol: "AAPL260619C00320000",
      side: "buy_to_open",
      quantity: 2,
      type: "limit",
      limit_price: 4.1,
      quote: { bid: 4, ask: 4.2, at: AS_OF },
    });
    expect(answer).toMatchObject({
      verdict: "warn",
      passing_quantity: "1",
      option: { contract: "AAPL260619C00320000", bars_left: 14, max_loss: 820, breakeven: 324.1 },
    });
    expect(rulesOf(answer)).toEqual(["warn trade_risk: 1.64 % of equity of 1 % of equity -> quantity 1"]);
    const { touch_strike, touch_strike_base, beyond_breakeven, beyond_breakeven_base } = answer.option!;
    const shares = [beyond_breakeven, beyond_breakeven_base, touch_strike, touch_strike_base].map(percentOf);
    expect(shares).toEqual([26, 35, 64, 72]);
  });

  it("18: a call that is sold without the shares stops", async () => {
    const answer = await call({
      symbol: "NVDA 2026-06-19 230 call",
      side: "sell_to_open",
      quantity: 1,
      type: "limit",
      limit_price: 3,
    });
    expect(answer).toMatchObject({ verdict: "stop", option: { max_loss: null, max_gain: 300 } });
    expect(rulesOf(answer)).toEqual(["stop naked_call: 1 contract of 0 contracts"]);
  });

  it("24: a stop-limit entry waits behind its limit, which keeps some orders from filling", async () => {
    const answer = await call({
      symbol: "AMD",
      side: "buy",
      quantity: 6,
      type: "stop_limit",
      stop_price: 530,
      limit_price: 533,
      stop_loss: 500,
      take_profit: 590,
      quote: quoted(520.8),
    });
    // 6 x (533 - 500)
    expect(answer).toMatchObject({ verdict: "ok", rules: [], loss: { at_stop: 198 } });
    // a plain stop order fills in 91 (89) of 100 cases, then 59/39/2: after an open above 533 this one waits at its limit,
    // and a price that comes back is stopped more often
    expect(fillOf(answer)).toEqual([88, 87]);
    expect(oddsOf(answer).forecast).toEqual([63, 34, 3]);
  });

  describe("the same account in the rows of eight brokers", () => {
    const trade = {
      symbol: "AAPL",
      side: "buy",
      quantity: 10,
      stop_loss: 300,
      take_profit: 340,
      quote: quoted(311.78),
    };
    const SNAPSHOTS: Readonly<
      Record<string, { readonly account: object; readonly positions: readonly object[] }>
    > = {
      "our own names": {
        account: { equity: 50_000, buying_power: 40_000 },
        positions: [{ symbol: "MSFT", quantity: 20, average_price: 400.1, price: 432.55 }],
      },
      Robinhood: {
        account: {
          total_value: "50000.00",
          cash: "12000.00",
          buying_power: { buying_power: "40000.0000", display_currency: "USD" },
        },
        positions: [
          {
            symbol: "MSFT",
            quantity: "20.00000000",
            average_buy_price: "400.1000",
            shares_available_for_sells: "20.00000000",
            type: "long",
            last_trade_price: "432.55",
          },
        ],
      },
      Alpaca: {
        account: { equity: "50000", buying_power: "40000", cash: "12000", multiplier: "2" },
        positions: [
          {
            asset_class: "us_equity",
            symbol: "MSFT",
            qty: "20",
            side: "long",
            avg_entry_price: "400.1",
            current_price: "432.55",
            market_value: "8651",
          },
        ],
      },
      "Interactive Brokers": {
        account: { net_liquidation: 50_000, available_funds: "40,000" },
        positions: [
          {
            contract_id: 1,
            contract: { symbol: "MSFT" },
            position: 20,
            avg_price: 400.1,
            market_price: 432.55,
          },
        ],
      },
      Public: {
        account: { equity: "50000.00", buyingPower: { buyingPower: "40000.00" } },
        positions: [
          {
            instrument: { symbol: "MSFT", name: "Microsoft Corporation", type: "EQUITY" },
            quantity: "20",
            lastPrice: { lastPrice: "432.55", timestamp: "2026-05-29T14:59:00Z" },
            costBasis: { unitCost: "400.10", totalCost: "8002.00" },
          },
        ],
      },
      Schwab: {
        account: { liquidationValue: 50_000, buyingPower: 40_000 },
        positions: [
          {
            instrument: { assetType: "EQUITY", symbol: "MSFT" },
            longQuantity: 20,
            shortQuantity: 0,
            averagePrice: 400.1,
            marketValue: 8_651,
          },
        ],
      },
      Tradier: {
        account: { total_equity: 50_000, margin: { stock_buying_power: 40_000 } },
        positions: [
          { symbol: "MSFT", quantity: 20, cost_basis: 8_002, date_acquired: "2026-02-03", price: 432.55 },
        ],
      },
      Longbridge: {
        account: { net_assets: "50000", buy_power: "40000" },
        positions: [
          {
            symbol: "MSFT.US",
            symbol_name: "Microsoft",
            quantity: "20",
            available_quantity: "20",
            cost_price: "400.100",
            currency: "USD",
            price: "432.55",
          },
        ],
      },
      Coinbase: {
        account: {
          equity: { value: "50000", currency: "USD" },
          buying_power: { value: "40000", currency: "USD" },
        },
        positions: [
          {
            product_id: "MSFT",
            quantity: "20",
            average_price: { value: "400.1", currency: "USD" },
            price: "432.55",
          },
          { asset: "USD", total_balance_fiat: 12_000, total_balance_crypto: 12_000 },
          { asset: "USDC", total_balance_fiat: 5, total_balance_crypto: 5 },
        ],
      },
    };
    const names = Object.keys(SNAPSHOTS);

    it.each(names)("gives one answer: %s", async (name) => {
      const answer = await call({ ...trade, ...SNAPSHOTS[name] });
      expect(answer).toMatchObject({
        verdict: "ok",
        rules: [],
        adds: { position_pct: 6.24, gross_pct: 23.54 },
      });
      expect(answer.unknown).toEqual([
        { what: "loss of the day", send: "account.equity_before" },
        { what: "earnings date" },
      ]);
      expect(answer).toEqual(await call({ ...trade, ...SNAPSHOTS[names[0]!] }));
      expectOdds(answer, [46, 14, 40], [51, 24, 26]);
    });
  });
});

describeWithData("a coin over daily files", ["ohlcv", "crypto_daily"], (dir) => {
  it("is assessed beside the coins that Coinbase lists", async () => {
    const call = await callOver(dir);
    const answer = await call({
      as_of: "2024-03-01T12:00:00Z",
      symbol: "ETH-USD",
      side: "buy",
      quantity: 0.5,
      stop_loss: 3_000,
      take_profit: 4_000,
      quote: quoted(3_420, "2024-03-01T12:00:00Z"),
      account: { equity: 20_000, buying_power: 10_000 },
      positions: [
        {
          asset: "BTC",
          total_balance_fiat: 6_200,
          total_balance_crypto: 0.1,
          cost_basis: { value: "4000", currency: "USD" },
        },
        { asset: "USD", total_balance_fiat: 10_000, total_balance_crypto: 10_000 },
      ],
      open_orders: [],
      recent_trades: [],
    });
    // .5 x (3420 - 3000) of 20,000; 200 / 420
    expect(rulesOf(answer)).toEqual([
      "warn trade_risk: 1.05 % of equity of 1 % of equity -> quantity 0.47619047",
    ]);
    expect(answer).toMatchObject({
      verdict: "warn",
      passing_quantity: "0.47619047",
      loss: { at_stop: 210, gap_99: null, worst: 1_710 },
      adds: { nearest: ["BTC-USD 0.75"], gross_pct: 39.55 },
    });
    expectOdds(answer, [34, 25, 41], [36, 34, 30]);
  });
});
