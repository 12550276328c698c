import { describe, expect, it } from "vitest";
import { runMomentumAgent } from "../../../agents/run-momentum-agent.ts";
import { brokersOf } from "../../../src/app/providers/brokers.ts";
import { ComputedPrice } from "../../../src/domain/figures.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import type { Quotes } from "../../../src/domain/ports.ts";
import { invoke } from "../../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../../src/kernel/tool.ts";
import { sessionOf } from "../../../src/market/calendar/calendar.ts";
import { paperRepository } from "../../../src/store/trading/paper-repository.ts";
import { connectBroker } from "../../../tools/connect-broker.ts";
import { runBacktest } from "../../../tools/run-backtest.ts";
import { syncPositions } from "../../../tools/sync-positions.ts";
import { brokerMarket } from "../../support/brokers.ts";
import { countingMeters, NOW } from "../../support/context.ts";
import { quote } from "../../support/market.ts";
import { trader } from "../../support/trades.ts";

const DAY = 86_400_000;
/** UTC day whose close the agent evaluates first. */
const FIRST = Date.UTC(2026, 0, 15);
const DAYS = 45;
const UNITS = "7";

interface Wave {
  readonly zone: Bars["zone"];
  readonly period: number;
  readonly swing: number;
  readonly phase: number;
}

/** Daily bars whose closes oscillate, with opens that differ from every close. */
function waves({ zone, period, swing, phase }: Wave): Bars {
  const time: number[] = [];
  for (let at = FIRST - 700 * DAY; at < FIRST + (DAYS + 2) * DAY; at += DAY)
    if (zone === "UTC" || sessionOf(new Date(at).toISOString().slice(0, 10)) !== null) time.push(at);
  const close = time.map((_, i) => 100 * Math.exp(swing * Math.sin((2 * Math.PI * i) / period + phase)));
  const open = close.map((price, i) => (close[i - 1] ?? price) * (1 + 0.004 * Math.sin(1.7 * i)));
  const column = (of: (i: number) => number) => Float64Array.from(time, (_, i) => of(i));
  return {
    time: Float64Array.from(time),
    open: column((i) => open[i]!),
    high: column((i) => Math.max(open[i]!, close[i]!) * 1.004),
    low: column((i) => Math.min(open[i]!, close[i]!) * 0.996),
    close: column((i) => close[i]!),
    volume: column((i) => 1_000_000 * (1 + 0.5 * Math.sin((2 * Math.PI * i) / period + phase + 1.2))),
    timeframe: "1d",
    adjustment: "split",
    zone,
  };
}

const bars: Readonly<Record<string, Bars>> = {
  AAPL: waves({ zone: "America/New_York", period: 40, swing: 0.25, phase: 0 }),
  "BTC-USD": waves({ zone: "UTC", period: 44, swing: 0.4, phase: 1 }),
  MSFT: waves({ zone: "America/New_York", period: 60, swing: 0.3, phase: 2 }),
};
const symbols = Object.keys(bars);

/** A market whose quotes are the last closes, and an account that fills at the next open, without trading limits. */
async function tradingBench() {
  const { ports: market, clock, store } = await brokerMarket({ bars });
  const quotes: Quotes = {
    async latest(instrument) {
      const { bars: closed } = await market.bars.history(instrument, { timeframe: "1d", limit: 1 });
      return quote({ price: closed.close[0]!, timestamp: clock.now().toISOString() });
    },
  };
  const book = paperRepository({ db: store.db, market: market.market.id });
  const { meters } = countingMeters({ burst: 10 * DAYS });
  const ports = {
    ...market,
    meters,
    quotes,
    brokers: brokersOf({ ...market, quotes, clock, book, live: false }),
  };
  const run = <T extends Tool>(tool: T, input: InputOf<T>): Promise<OutputOf<T>> =>
    invoke(tool, input, { ports, principal: trader, transport: "test" });
  await ports.tradeRules.setLimits(
    trader.account,
    {
      max_notional_pct: null,
      max_open_risk_pct: null,
      max_daily_loss_pct: null,
      halt_drawdown_pct: null,
      max_orders_a_minute: null,
      max_quote_age_seconds: null,
      hours: "any",
    },
    NOW.toISOString(),
  );
  return { ports, run, clock, book };
}

describe("the momentum agent on a paper account that fills at the next open", () => {
  it("makes the trades of its backtest: symbol, side, units, day and price of every entry and exit", async () => {
    const { run, clock, book } = await tradingBench();
    const credentials = { api_key: "any", api_secret: "any" };
    const { connection, account } = await run(connectBroker, {
      broker: "paper",
      credentials,
      fills: "next_open",
    });
    expect(account.notes).toContainEqual(
      expect.stringMatching(/^Fills match the backtest: .*; real markets differ$/),
    );
    const { connection_id } = connection;
    for (let day = 0; day < DAYS; day++) {
      // Both the session and the UTC day are over.
      clock.pass(FIRST + (day + 1) * DAY - clock.now().getTime());
      const pass = { symbols, connection_id, dry_run: false, quantity: UNITS, run_id: `day-${day}` };
      const { decisions } = await run(runMomentumAgent, pass);
      expect(decisions.map(({ refused }) => refused)).toEqual(symbols.map(() => null));
      expect(decisions.flatMap(({ order }) => order?.intent.stop_loss ?? [])).toEqual([]);
      if (decisions.every(({ order }) => order === null)) continue;
      const again = await run(runMomentumAgent, pass);
      expect(again.decisions.map(({ order }) => order?.order_id ?? null)).toEqual(
        decisions.map(({ order }) => order?.order_id ?? null),
      );
    }
    const backtest = await run(runBacktest, {
      symbols,
      strategy: "momentum",
      sizing: "units",
      size: Number(UNITS),
      cash: 100_000,
      commission: 0,
      slippage: 0,
      loss_limits: false,
      from: dayOf(FIRST),
      picture: false,
      detail: "full",
    });
    await run(syncPositions, { connection_id });
    const fills = await book.fills({ account: trader.account, connection: connection_id });
    const placed = fills.map(({ symbol, side, quantity, price, at }) => ({
      symbol,
      side,
      units: Number(quantity),
      day: at.slice(0, 10),
      price: Number(price),
    }));
    const expected = [
      ...[...backtest.trades, ...backtest.open_trades].map(({ symbol, units, entry_time, entry_price }) => ({
        symbol,
        side: "buy",
        units,
        day: entry_time,
        price: entry_price,
      })),
      ...backtest.trades.map(({ symbol, units, exit_time, exit_price }) => ({
        symbol,
        side: "sell",
        units,
        day: exit_time,
        price: exit_price,
      })),
    ];
    expect(inOrder(placed).map(({ price: _, ...fill }) => fill)).toEqual(
      inOrder(expected).map(({ price: _, ...fill }) => fill),
    );
    expect(inOrder(placed).map(({ price }) => ComputedPrice.parse(price))).toEqual(
      inOrder(expected).map(({ price }) => price),
    );
    expect(
      backtest.trades.map(({ symbol, entry_time, exit_time }) => [symbol, entry_time, exit_time]),
    ).toEqual([
      ["BTC-USD", "2026-01-22", "2026-02-08"],
      ["MSFT", "2026-01-16", "2026-02-09"],
      ["AAPL", "2026-01-28", "2026-02-24"],
    ]);
    expect(backtest.refused_orders).toEqual([]);
  }, 120_000);
});

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

interface Fill {
  readonly day: string;
  readonly symbol: string;
  readonly side: string;
  readonly units: number;
  readonly price: number;
}
const inOrder = (fills: readonly Fill[]): readonly Fill[] =>
  [...fills].sort((a, b) => (`${a.day} ${a.symbol}` < `${b.day} ${b.symbol}` ? -1 : 1));
