import type { Chamber } from "../../../domain/congress/congress.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { Congress, Symbols } from "../../../domain/ports.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { tickerOf } from "../../../market/symbols/listings.ts";
import { chambersOf } from "../filing-coverage.ts";
import {
  type ChamberAnswer,
  type ChamberAnswerOptions,
  createChamberReader,
  notRequested,
} from "./chamber-reader.ts";

/**
 * Creates the Congress port of the live market: each chamber's stored disclosures come from one provider, so that none
 * is counted twice. The first request waits for the first download; later ones return stored filings at once while
 * these are refreshed in the background.
 */
export function liveCongress({
  symbols,
  ...options
}: ChamberAnswerOptions & { readonly symbols: Symbols }): Congress {
  const partOf = createChamberReader(options);
  return {
    async disclosures(request) {
      const requested = chambersOf(request);
      const ticker = request.symbol === undefined ? null : tickerAsFiled(request.symbol, symbols);
      const chamberAnswers = await Promise.all(requested.map((chamber) => partOf(chamber, request, ticker)));
      const answerOf = (chamber: Chamber) => chamberAnswers[requested.indexOf(chamber)] ?? notRequested();
      const parts = { house: answerOf("house"), senate: answerOf("senate") };
      const covering = chamberAnswers.filter(({ covered }) => covered.covered);
      if (covering.length === 0 && chamberAnswers.some(({ failed }) => failed))
        throw allUnavailable(requested, parts);
      const names = new Set(covering.flatMap(({ covered }) => covered.source ?? []));
      const newest = covering
        .flatMap(({ asOf }) => asOf ?? [])
        .sort()
        .at(-1);
      const fetched = covering.flatMap(({ fetchedAt }) => fetchedAt ?? []);
      return {
        trades: chamberAnswers.flatMap(({ trades }) => trades),
        unread: chamberAnswers.flatMap(({ unread }) => unread),
        source: names.size === 0 ? null : [...names].join("+"),
        fetched_at: fetched.length === 0 ? null : new Date(Math.min(...fetched)).toISOString(),
        as_of: newest ?? null,
        stale: covering.some(({ stale }) => stale),
        coverage: { house: parts.house.covered, senate: parts.senate.covered },
        reason: covering.length > 0 ? null : chamberAnswers.map(({ covered }) => covered.reason).join(". "),
      };
    },
  };
}

/** Returns the error that lists the attempted providers of each unavailable chamber. */
function allUnavailable(
  requested: readonly Chamber[],
  parts: Readonly<Record<Chamber, ChamberAnswer>>,
): ToolError {
  const failed = requested.filter((chamber) => parts[chamber].failed);
  const why = failed.map((chamber) => `${chamber}: ${parts[chamber].covered.reason}`).join("; ");
  return new ToolError("UPSTREAM_UNAVAILABLE", `Disclosures are unavailable. ${why}`, {
    hint: "Retry in a minute: the download continues in the background.",
    command: "market-signal doctor --live",
    data: { tried: failed.flatMap((chamber) => [...parts[chamber].tried]) },
  });
}

/** Returns the name of an instrument in filings: the ticker, or the trading pair of a token. */
function tickerAsFiled(symbol: string, symbols: Symbols): string {
  const found: Instrument | undefined = symbols.find(symbol)?.instrument;
  return found === undefined || found.asset_class === "crypto" ? symbol : tickerOf(found);
}
