import { expect, it } from "vitest";
import { useInstallation } from "../support/installation.ts";

const installation = useInstallation("sample");
const FROM = "2023-01-03";

interface Answer {
  readonly bars: number;
  readonly from: string;
  readonly to: string;
  readonly timeframe: string;
  readonly account: Record<string, number | null>;
  readonly metrics: Record<string, number | null>;
  readonly costs: readonly { readonly part: string; readonly return_pct: number }[];
  readonly trades: readonly {
    readonly units: number;
    readonly entry_time: string;
    readonly exit_time: string;
    readonly entry_price: number;
    readonly exit_price: number;
    readonly exit_reason: string;
    readonly commission: number;
    readonly profit: number;
  }[];
  readonly equity: readonly { readonly time: string }[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

async function client() {
  const { key } = await installation.key("pro");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${installation.url}${path}`, { headers, ...init });
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).toBe(200);
    return body;
  };
  return {
    get: (path: string) => call(path),
    backtest: (input: object) =>
      call("/api/v1/backtest", {
        method: "POST",
        body: JSON.stringify({ picture: false, commission: 0, slippage: 0, ...input }),
      }) as Promise<Answer>,
  };
}

it("pays the dividends that get_corporate_actions lists, to longs and by shorts", async () => {
  const { get, backtest } = await client();
  const found = await Promise.all(
    ["AAPL", "MSFT", "JPM", "KO", "XOM", "SPY"].map(async (symbol) => ({
      symbol,
      ...((await get(`/api/v1/corporate-actions/${symbol}?from=${FROM}`)) as {
        dividends: readonly { readonly date: string; readonly amount: number }[];
      }),
    })),
  );
  const payer = found.find(({ dividends }) => dividends.length >= 4);
  expect(payer).toBeDefined();
  const { symbol, dividends } = payer!;
  const units = 10;
  const held = { symbol, from: FROM, sizing: "units", size: units, cash: 1e6, finalize: true };
  const long = await backtest({ ...held, strategy: "buy_hold" });
  const [trade] = long.trades;
  const paid = dividends
    .filter(({ date }) => date > trade!.entry_time && date <= trade!.exit_time)
    .reduce((sum, { amount }) => sum + amount, 0);
  expect(paid).toBeGreaterThan(0);
  expect(trade!.profit).toBeCloseTo(units * (trade!.exit_price - trade!.entry_price + paid), 1);
  expect(long.notes).toContain(
    `Dividends of ${symbol} are paid to long and by short positions; interest on cash is left out.`,
  );
  const rules = { entry: { all: ["close > 0"] }, side: "short" };
  const short = (await backtest({ ...held, strategy: "rules", rules })).trades[0]!;
  expect(short.entry_time).toBe(trade!.entry_time);
  expect(short.profit).toBeCloseTo(-trade!.profit, 1);
});

it("backtests weekly bars, which begin on Mondays and annualize by 52 weeks", async () => {
  const { get, backtest } = await client();
  const run = await backtest({
    symbol: "AAPL",
    timeframe: "1w",
    strategy: "sma_cross",
    params: { fast: 3, slow: 9 },
  });
  expect(run.timeframe).toBe("1w");
  expect(run.trades.length).toBeGreaterThan(5);
  const isMonday = (date: string) => new Date(date).getUTCDay() === 1;
  expect(run.trades.every(({ entry_time, exit_time }) => isMonday(entry_time) && isMonday(exit_time))).toBe(
    true,
  );
  // a trade is filled at the open of the week that get_history shows
  const { bars } = (await get("/api/v1/history/AAPL?tf=1w&limit=60")) as {
    bars: readonly { readonly datetime: string; readonly open: number }[];
  };
  const opens = new Map(bars.map(({ datetime, open }) => [datetime.slice(0, 10), open]));
  const newest = run.trades.filter(({ entry_time }) => opens.has(entry_time)).at(-1);
  expect(newest?.entry_price).toBeCloseTo(opens.get(newest!.entry_time)!, 2);
  const weekly = await backtest({ symbol: "AAPL", timeframe: "weekly", strategy: "buy_hold" });
  expect(weekly.timeframe).toBe("1w");
  const daily = await backtest({ symbol: "AAPL", strategy: "buy_hold" });
  // one price path: the volatility of a year is nearly the same in weeks and in days
  expect(weekly.metrics.annual_volatility_pct! / daily.metrics.annual_volatility_pct!).toBeGreaterThan(0.75);
  expect(weekly.metrics.annual_volatility_pct! / daily.metrics.annual_volatility_pct!).toBeLessThan(1.33);
});

it("charges borrowing by the days held, on shorts alone", async () => {
  const { backtest } = await client();
  const rules = { entry: { all: ["close > 0"] }, side: "short" };
  const input = {
    symbol: "BTC-USD",
    from: FROM,
    to: "2024-01-03",
    strategy: "rules",
    rules,
    sizing: "units",
    size: 1,
  };
  const held = { ...input, cash: 1e7, finalize: true };
  const [free, lent] = [await backtest(held), await backtest({ ...held, borrow_rate: 0.1 })];
  const fee = free.trades[0]!.profit - lent.trades[0]!.profit;
  const days = (Date.parse(free.trades[0]!.exit_time) - Date.parse(free.trades[0]!.entry_time)) / 86_400_000;
  // between the lowest and the highest close: within a factor of 3 of the entry price
  const atEntry = (free.trades[0]!.entry_price * 0.1 * days) / 365;
  expect(fee).toBeGreaterThan(atEntry / 3);
  expect(fee).toBeLessThan(atEntry * 3);
  expect((await backtest({ ...held, borrow_rate: 0.2 })).trades[0]!.profit).toBeCloseTo(
    free.trades[0]!.profit - 2 * fee,
    1,
  );
  expect(lent.account.borrow_rate).toBe(0.1);
  expect(lent.notes).toContain("Short sales have no margin calls here.");
  const long = { ...held, rules: { entry: { all: ["close > 0"] } } };
  expect((await backtest({ ...long, borrow_rate: 0.1 })).trades).toEqual((await backtest(long)).trades);
});

it("charges commissions per share on both sides, and shows the run at 0, 1, 2 and 3 times its costs", async () => {
  const { backtest } = await client();
  const held = { symbol: "AAPL", from: FROM, strategy: "buy_hold", sizing: "units", size: 7, finalize: true };
  const [free, charged] = [await backtest(held), await backtest({ ...held, commission_per_share: 1 })];
  expect(charged.trades[0]!.commission).toBeCloseTo(14, 9);
  expect(charged.trades[0]!.profit).toBeCloseTo(free.trades[0]!.profit - 14, 1);
  expect(charged.account).toMatchObject({ commission: 0, commission_per_share: 1, slippage: 0 });
  expect(charged.costs.map(({ part }) => part)).toEqual(["0x costs", "1x costs", "2x costs", "3x costs"]);
  const { costs } = charged;
  expect(costs[0]!.return_pct).toBe(free.metrics.return_pct);
  // of 10,000 USD, 14 are 0.14 %
  for (const [multiple, { return_pct }] of costs.entries())
    expect(return_pct).toBeCloseTo(free.metrics.return_pct! - 0.14 * multiple, 1);
});

it.each([
  ["AAPL", 0.0005],
  ["SPY", 0.0002],
  ["BTC-USD", 0.001],
])("shows the default slippage of %s in the answer and the stored result", async (symbol, slippage) => {
  const { backtest, get } = await client();
  const run = (await backtest({
    symbol,
    from: FROM,
    strategy: "buy_hold",
    slippage: undefined,
  })) as Answer & { readonly id: string };
  expect(run.account.slippage).toBe(slippage);
  const stored = (await get(`/api/v1/backtest/${run.id}`)) as Answer;
  expect(stored.account.slippage).toBe(slippage);
});
