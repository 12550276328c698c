import { MAX_MISS, MIN_BUCKET } from "../../analytics/odds/odds-buckets.ts";
import { effectiveCount } from "../../analytics/track/interval.ts";
import type { JudgedBucket, OddsRow } from "../../domain/odds/odds-record.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { BucketSummary } from "./odds-buckets.ts";
import { summarizeOdds } from "./odds-rows.ts";

const NO_ODDS =
  "No stored odds have an outcome yet: the first outcomes of signals, get_odds and nightly runs need 5 more bars.";
const NO_MATCH = "No matching odds have an outcome";

/** Returns why there are no rows of odds; null if there are. `stored`: number of forecasts of the whole record. */
export const oddsReason = (rows: readonly OddsRow[], stored: number): string | null =>
  rows.length > 0 ? null : stored === 0 ? NO_ODDS : NO_MATCH;

/** Formats how often the 80% range held the close as one sentence; null without rows. */
export function oddsSentence(rows: readonly OddsRow[]): string | null {
  const summary = summarizeOdds(rows);
  if (summary === null) return null;
  const { forecasts, cover_80, horizon } = summary;
  const few = forecasts < MIN_BUCKET ? ` (under ${MIN_BUCKET}: not measured)` : "";
  return `The 80% range held the close ${horizon} bars later in ${percent(cover_80)} of ${count(forecasts)} forecasts${few}.`;
}

/** Buckets named in a sentence. */
const NAMED = 3;
const EVENTS: Readonly<Record<JudgedBucket["event"], string>> = {
  in_80_range: "close in the 80% range",
  touch: "touch",
  stop_first: "stop first",
  target_first: "target first",
};

/** States how many buckets of odds came true, and which did not. */
export function bucketSentences({ buckets, outside, reason }: BucketSummary): readonly string[] {
  if (reason !== null) return [reason];
  const measured = buckets.filter(({ within_3_points }) => within_3_points !== null).length;
  const rest = outside.length > NAMED ? `; and ${outside.length - NAMED} more` : "";
  return [
    `Odds by bars, side and volatility: ${measured - outside.length} of ${measured} groups of ${MIN_BUCKET} or more forecasts are within ${100 * MAX_MISS} points of what happened.`,
    ...(outside.length === 0
      ? []
      : [`Off by more: ${outside.slice(0, NAMED).map(bucketText).join("; ")}${rest}.`]),
  ];
}

function bucketText({ horizon, event, side, volatility, odds, happened, n }: JudgedBucket): string {
  const place =
    event === "touch" ? ` ${side === "LONG" ? "above" : "below"}` : side === null ? "" : ` of ${side}`;
  return `${EVENTS[event]}${place} at ${horizon} bars, volatility ${volatility}: said ${percent(odds)}, happened ${percent(happened)} (${count(n)} forecasts, about ${effectiveCount(n, horizon).toFixed(0)} independent)`;
}

const count = (n: number): string => n.toLocaleString("en-US");

/** Formats rows of odds as a table; without rows: their reason. */
export function formatOddsRows(
  { rows, reason }: { readonly rows: readonly OddsRow[]; readonly reason: string | null },
  paint: Paint,
): readonly string[] {
  return rows.length === 0
    ? [...(reason === null ? [] : [paint("yellow", reason)])]
    : formatTable(rows, COLUMNS, paint);
}

const percent = (share: number | null): string => (share === null ? "-" : `${(100 * share).toFixed(1)}%`);

const COLUMNS: readonly Column<OddsRow>[] = [
  { head: "odds of", cell: ({ period }) => period },
  { head: "class", cell: ({ asset_class }) => asset_class ?? "all" },
  {
    head: "bars",
    cell: ({ timeframe, horizon }) => (timeframe === "1d" ? String(horizon) : `${horizon} x ${timeframe}`),
  },
  { head: "n", cell: ({ n }) => String(n) },
  { head: "n_eff", cell: ({ n_eff }) => n_eff.toFixed(1), rank: 1 },
  { head: "in 50%", cell: ({ cover_50 }) => percent(cover_50), rank: 4 },
  { head: "in 80%", cell: ({ cover_80 }) => percent(cover_80) },
  { head: "in 90%", cell: ({ cover_90 }) => percent(cover_90), rank: 3 },
  { head: "CRPS skill", cell: ({ crps_skill }) => percent(crps_skill), rank: 2 },
  { head: "touch skill", cell: ({ touch }) => percent(touch.brier_skill), rank: 5 },
  { head: "off by", cell: ({ touch }) => percent(touch.calibration_error) },
  { head: "method", cell: ({ version }) => version, rank: 6 },
];
