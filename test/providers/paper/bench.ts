import type { Bars } from "../../../src/domain/market/bars.ts";
import type { Instrument, Quote } from "../../../src/domain/market/market.ts";
import type { BarHistory, Quotes, Symbols } from "../../../src/domain/ports.ts";
import type { Intent, PaperFills } from "../../../src/domain/trading/trading.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { barCloseMs, marketStateAt } from "../../../src/market/calendar/calendar.ts";
import { paperExchange } from "../../../src/providers/paper/exchange.ts";
import { paperRepository } from "../../../src/store/trading/paper-repository.ts";
import { movingClock, testStore } from "../../support/store.ts";
import { intent } from "../broker-contract.ts";

export const MINUTE = 60_000;
/** Thursday 2026-01-15, 10:00 in New York. */
export const TEN = Date.UTC(2026, 0, 15, 15);

interface Row {
  readonly symbol?: string;
  readonly at: number;
  readonly open: number;
  readonly high?: number;
  readonly low?: number;
  readonly volume?: number;
}

const AAPL: Instrument = {
  symbol: "AAPL",
  name: "Apple",
  asset_class: "equity",
  sector: null,
  currency: "USD",
};
const BTC: Instrument = { ...AAPL, symbol: "BTC-USD", name: "Bitcoin", asset_class: "crypto" };

/**
 * An exchange on a fake market: AAPL and BTC-USD at 100 dollars, a million units and 100 million dollars a day, and the
 * five-minute and daily bars that a test adds. Half a spread is 5 basis points.
 */
export async function paperBench(start = TEN) {
  const clock = movingClock(new Date(start));
  const { db } = await testStore();
  const repository = paperRepository({ db, market: "test" });
  const rows: Row[] = [];
  const price = { now: 100 };
  const symbols: Pick<Symbols, "find"> = {
    find: (text) => {
      const instrument = [AAPL, BTC].find(({ symbol }) => symbol === text);
      return instrument === undefined ? null : { instrument, alternatives: [] };
    },
  };
  const quotes: Quotes = {
    async latest({ symbol, asset_class }) {
      if (price.now <= 0) throw new ToolError("NO_PRICE", `There is no price of ${symbol}`);
      const now = clock.now();
      return {
        price: price.now,
        timestamp: now.toISOString(),
        price_source: "live_quote",
        market_state: marketStateAt(now.getTime(), asset_class),
      } as Quote;
    },
  };
  const days: Row[] = [{ at: Date.UTC(2026, 0, 14), open: 100, volume: 1e6 }];
  const splits: { readonly at: number; readonly ratio: number }[] = [];
  const bars: BarHistory = {
    async history({ symbol, asset_class }, { timeframe, limit, asOf }) {
      const zone = asset_class === "crypto" ? "UTC" : "America/New_York";
      const until = asOf ?? clock.now().getTime();
      const added = timeframe === "1d" ? days : timeframe === "5m" ? rows : [];
      const closed = added
        .filter((row) => (row.symbol ?? symbol) === symbol && barCloseMs(row.at, timeframe, zone) <= until)
        .sort((a, b) => a.at - b.at);
      const all = closed.slice(-limit);
      const column = (of: (row: Row) => number) => Float64Array.from(all, of);
      // Prices before a split are adjusted once it has happened.
      const ratio = ({ at }: Row) =>
        splits
          .filter((split) => asset_class !== "crypto" && split.at > at && split.at <= clock.now().getTime())
          .reduce((product, split) => product * split.ratio, 1);
      const columns: Bars = {
        time: column(({ at }) => at),
        open: column((row) => row.open / ratio(row)),
        high: column((row) => (row.high ?? row.open) / ratio(row)),
        low: column((row) => (row.low ?? row.open) / ratio(row)),
        close: column((row) => row.open / ratio(row)),
        volume: column((row) => (row.volume ?? 10_000) * ratio(row)),
        timeframe,
        adjustment: "split",
        zone,
      };
      return { bars: columns, forming: null, source: "test", venue: "T", adjustment: "split", as_of: null };
    },
  };
  const open = (connection = "cn_1", account = "ada", fills?: PaperFills) =>
    paperExchange({ account, connection, repository, symbols, quotes, bars, clock, fills });
  const broker = open();
  return {
    bars,
    quotes,
    repository,
    clock,
    db,
    open,
    broker,
    /** Submits an order on AAPL by default, or on the given symbol. */
    send: (clientOrderId: string, order: Partial<Intent> = {}) =>
      broker.submit({ clientOrderId, intent: intent(order.symbol ?? "AAPL", order) }),
    owner: { account: "ada", connection: "cn_1" },
    price,
    /** Adds a daily bar, for one symbol or for all. */
    day: (at: number, row: Omit<Row, "at">) => void days.push({ at, ...row }),
    /** Adds a split; bars before it are adjusted from then on. */
    split: (at: number, ratio: number) => void splits.push({ at, ratio }),
    /** Adds a five-minute bar at a number of minutes after the start. */
    bar: (minutes: number, row: Omit<Row, "at">) => void rows.push({ at: start + minutes * MINUTE, ...row }),
  };
}
