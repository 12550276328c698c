import { noSplitAt, suspectedSplits } from "../../analytics/backtest/splits.ts";
import { ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { mayHaveSplits } from "../../analytics/score/split-fault.ts";
import { OWNER_ACCOUNT, type Principal } from "../../domain/accounts/access.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isoDate } from "../../lib/iso-date.ts";
import { futureTimeError } from "./past-time.ts";
import { seriesOrNull } from "./series.ts";

interface Declaration {
  readonly instrument: Instrument;
  /** ISO date of the first session at the new price. */
  readonly date: string;
  readonly remove: boolean;
}

type DeclarationPorts = Pick<Ports, "noSplits" | "bars" | "clock">;

/**
 * Declares that a price change is no split, for all accounts, or removes the declaration. Returns whether anything
 * changed, and a hint. Rejects with INVALID_INPUT for a future date and for a day on which the daily bars have no change
 * like a split, and with SCOPE_REQUIRED for accounts other than the owner's without the scope admin.
 */
export async function declareNoSplit(
  { instrument, date, remove }: Declaration,
  { account, scopes }: Principal,
  ports: DeclarationPorts,
): Promise<{ readonly changed: boolean; readonly hint: string }> {
  const { noSplits, clock } = ports;
  if (account !== OWNER_ACCOUNT && !scopes.includes("admin"))
    throw new ToolError(
      "SCOPE_REQUIRED",
      'Declaring that a price change is no split needs the "admin" scope',
      {
        hint: "The owner of the server declares it, because it changes the signals of all accounts.",
        command: `market-signal no-split ${instrument.symbol} ${date}`,
        data: { required_scope: "admin" },
      },
    );
  const now = clock.now();
  if (Date.parse(date) > now.getTime()) throw futureTimeError(date, now, "date");
  const { symbol } = instrument;
  if (remove) {
    const changed = await noSplits.remove({ symbol, date });
    return {
      changed,
      hint: changed ? "The bars are checked for a split again." : "There was no such declaration.",
    };
  }
  const hint = await effectOf(instrument, date, ports);
  const changed = await noSplits.declare({ symbol, date, declared_at: now.toISOString() });
  return { changed, hint };
}

/** Describes what a declaration changes in the daily bars. @throws ToolError INVALID_INPUT if they have no such change */
async function effectOf(instrument: Instrument, date: string, { bars }: DeclarationPorts): Promise<string> {
  const series = await seriesOrNull(bars, instrument, { timeframe: "1d", limit: ODDS_BARS });
  const first = series?.bars.time[0];
  if (series === null || first === undefined) return "There are no daily bars to compare with.";
  if (!mayHaveSplits(series.bars)) return "The daily bars are adjusted for splits already: nothing changes.";
  if (Date.parse(date) < first)
    return `Signals and odds read no daily bars before ${isoDate(first)}: the declaration affects only backtests and charts of earlier bars.`;
  const dates = suspectedSplits({ ...series.bars, noSplits: [] })
    .filter(({ time }) => noSplitAt(series.bars, time)?.basis !== "market")
    .map(({ time }) => isoDate(time));
  if (dates.includes(date))
    return "Signals and odds of all accounts use the bars across that day from now on.";
  const message = `The daily bars of ${instrument.symbol} have no change like a split on ${date}`;
  throw new ToolError("INVALID_INPUT", message, {
    hint:
      dates.length === 0
        ? "There is none to declare: no day of these bars looks like a split."
        : `Pass date ${dates.join(" or ")}: the first session at the new price.`,
    data: { errors: [{ pointer: "/date", detail: "has no such change" }] },
  });
}
