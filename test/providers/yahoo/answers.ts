import type { AssetClass, Instrument } from "../../../src/domain/market/market.ts";
import { yahoo } from "../../../src/providers/yahoo/prices.ts";
import { readJson, respondWith, signal } from "../requests.ts";

export const instrument = (symbol: string, asset_class: AssetClass = "equity"): Instrument => ({
  symbol,
  name: symbol,
  asset_class,
  sector: null,
  currency: "USD",
});
export const AAPL = instrument("AAPL");
export const BTC = instrument("BTC-USD", "crypto");
export const at = (iso: string): number => Date.parse(iso);
/** Every available day. */
export const ALL = { timeframe: "1d", from: 0, until: Date.UTC(2030, 0), signal } as const;

/** The provider with one response to every request. */
export const respond = (body: unknown, status = 200) =>
  yahoo({ fetch: respondWith({ "": body }, { status }).fetch });

/** The body of a recording, in either format. */
export function recordedBody(folder: string, name: string): unknown {
  const read = readJson<{ response?: { bodyJson: unknown } }>(folder, name);
  return read.response?.bodyJson ?? read;
}

/** The chart of the morning of 24 February 2022, whose quote was recorded: a close of 160.07, then 155.82 before the open. */
export const morning = {
  chart: {
    result: [
      {
        meta: {
          symbol: "AAPL",
          currency: "USD",
          instrumentType: "EQUITY",
          regularMarketPrice: 160.07,
          regularMarketTime: at("2022-02-23T21:00:04Z") / 1_000,
          regularMarketDayHigh: 166.15,
          regularMarketDayLow: 159.75,
          regularMarketVolume: 90_009_247,
          // of the session before the newest regular one, as recorded on another morning
          previousClose: 164.32,
          chartPreviousClose: 160.07,
        },
        timestamp: [
          at("2022-02-24T10:15:00Z") / 1_000,
          at("2022-02-24T10:16:00Z") / 1_000,
          at("2022-02-24T10:17:00Z") / 1_000,
        ],
        indicators: {
          quote: [
            {
              open: [156, 155.9, null],
              high: [156.1, 155.95, null],
              low: [155.8, 155.8, null],
              close: [155.9, Math.fround(155.82), null],
              volume: [0, 0, null],
            },
          ],
        },
      },
    ],
    error: null,
  },
};

/** A token at 100 dollars an hour before its day began, 110 since, with a turnover of 44,100 dollars. */
export function token(change: { readonly from?: string; readonly volume?: number | null } = {}) {
  const first = at(change.from ?? "2026-03-01T00:00:00Z");
  const newest = at("2026-03-02T12:02:30Z");
  const slots = Math.ceil((newest - first) / 300_000);
  const times = Array.from({ length: slots }, (_, i) => first + i * 300_000);
  const began = at("2026-03-01T13:00:00Z");
  const prices = times.map((time) => (time < began ? 100 : 110));
  return {
    chart: {
      result: [
        {
          meta: {
            symbol: "BTC-USD",
            currency: "USD",
            instrumentType: "CRYPTOCURRENCY",
            regularMarketPrice: 108,
            regularMarketTime: newest / 1_000,
            regularMarketDayHigh: 111,
            regularMarketDayLow: 107,
            regularMarketVolume: change.volume === undefined ? 44_100 : change.volume,
            previousClose: 109.5,
            chartPreviousClose: 90,
          },
          timestamp: times.map((time) => time / 1_000),
          indicators: {
            quote: [
              {
                open: prices,
                high: prices.map((price) => price + 2),
                low: prices.map((price) => price - 1),
                close: prices.map((price, i) => (i % 7 === 0 && times[i]! > began ? null : price)),
                volume: prices.map(() => 0),
              },
            ],
          },
        },
      ],
      error: null,
    },
  };
}
