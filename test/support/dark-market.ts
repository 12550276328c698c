import type { OffExchangeAnswer, OffExchangeDay } from "../../src/domain/off-exchange/off-exchange.ts";
import type { NamedPrint, Print, PrintTape } from "../../src/domain/off-exchange/prints.ts";
import type { OffExchange, Prints } from "../../src/domain/ports.ts";
import { NOW } from "./context.ts";

const provenance = {
  source: "fixture",
  fetchedAt: NOW.getTime(),
  asOf: NOW.getTime(),
  stale: false,
  gap: null,
};
const NOTHING = { tape: null, market: null };

/** Prints of these symbols reported by the requested time; other symbols are not covered. */
export function fixedPrints(
  tapes: Readonly<Record<string, readonly Print[]>>,
  over: Partial<PrintTape> = {},
): Prints {
  const within = <P extends Print>(prints: readonly P[], from: number, until: number) =>
    prints
      .filter(({ reportedAt }) => reportedAt >= from && reportedAt <= until)
      .toSorted((a, b) => a.reportedAt - b.reportedAt);
  return {
    missing: NOTHING,
    async tape({ symbol }, { from, until }) {
      const own = tapes[symbol];
      if (own === undefined)
        return { ...provenance, prints: [], asOf: null, gap: `No provider covers ${symbol}` };
      return { ...provenance, prints: within(own, from, until), ...over };
    },
    async market({ from, until, minNotional }) {
      const all = Object.entries(tapes).flatMap(([symbol, prints]) =>
        prints.map((print): NamedPrint => ({ ...print, symbol })),
      );
      const large = all.filter(({ price, size }) => price * size >= minNotional);
      return { ...provenance, prints: within(large, from, until) };
    },
  };
}

/** Off-exchange days of these symbols, without weeks and prices. */
export function fixedOffExchange(
  held: Readonly<Record<string, readonly OffExchangeDay[]>>,
  over: Partial<OffExchangeAnswer<OffExchangeDay>> = {},
): OffExchange {
  return {
    missing: { days: null, weeks: "a setting", byPrice: "another" },
    async days({ symbol }, { from, until }) {
      const own = (held[symbol] ?? []).filter(({ knownAt }) => knownAt >= from && knownAt <= until);
      return { ...provenance, rows: own, asOf: own.at(-1)?.knownAt ?? null, ...over };
    },
    weeks: async () => null,
    byPrice: async () => null,
  };
}
