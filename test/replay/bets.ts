import type { Instrument } from "../../src/domain/market/market.ts";
import type { World } from "./world.ts";

/** What a crowd is asked in the world, before a venue puts it in its shape. */
export interface Bet {
  readonly instrument: Instrument | null;
  /** `AAPL`, `BTC`; `FED` for the rate decision. */
  readonly ticker: string;
  readonly name: string;
  /** US dollars; null for what is on no price. */
  readonly level: number | null;
  readonly probability: number;
  /** Epoch ms. */
  readonly closes: number;
  /** US dollars traded. */
  readonly volume: number;
}

const DAY = 86_400_000;
const RUNGS = [-0.1, -0.05, 0, 0.05, 0.1] as const;

/** What a venue finds for words: ladders on instruments whose ticker or name is among them, and the rate decision. */
export function betsFor(text: string, world: World): readonly Bet[] {
  const words = new Set(text.toLowerCase().split(/[^a-z0-9.]+/));
  const wanted = world.instruments().filter(({ symbol, name }) => {
    const ticker = symbol.replace(/\.US$|-USD$/, "").toLowerCase();
    return words.has(ticker) || text.toLowerCase() === name.toLowerCase();
  });
  const closes = Math.ceil((world.now() + 20 * DAY) / DAY) * DAY;
  const ladders = wanted.slice(0, 2).flatMap((instrument): readonly Bet[] => {
    const trade = world.trade(instrument.symbol);
    if (trade === null) return [];
    const ticker = instrument.symbol.replace(/\.US$|-USD$/, "");
    return RUNGS.map((away) => ({
      instrument,
      ticker,
      name: instrument.name,
      level: Number((trade.price * (1 + away)).toPrecision(3)),
      probability: Math.round(100 / (1 + Math.exp(25 * away))) / 100,
      closes,
      volume: 80_000,
    }));
  });
  if (!words.has("fed") && !words.has("rate")) return ladders;
  const fed = { instrument: null, ticker: "FED", name: "Fed", level: null, closes, volume: 2_000_000 };
  return [...ladders, { ...fed, probability: 0.24 }];
}

/** Bets of one event each. */
export const groupsOf = (bets: readonly Bet[]): readonly (readonly Bet[])[] =>
  [...new Set(bets.map(({ ticker }) => ticker))].map((of) => bets.filter(({ ticker }) => ticker === of));

/** `November 30, 2026`: the day that ends with the closing. */
export const dayInWords = (closes: number): string =>
  new Date(closes - 1).toLocaleDateString("en-US", {
    month: "long",
    day: "numeric",
    year: "numeric",
    timeZone: "UTC",
  });

/** A page in the place of data. */
export const WALL = {
  status: 403,
  headers: { "content-type": "text/html; charset=UTF-8" },
  body: "<!DOCTYPE html><html><head><title>Attention Required!</title></head></html>",
} as const;
