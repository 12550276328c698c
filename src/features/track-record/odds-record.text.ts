import { MAX_MISS, MIN_BUCKET } from "../../analytics/odds/odds-buckets.ts";
import type { OddsBucket, OddsRow } from "../../domain/odds/odds-record.ts";
import type { Paint } from "../../domain/terminal.ts";
import { tableRow } from "../../lib/table-row.ts";
import type { BucketAnswer } from "./bucket-answer.ts";
import { type OddsSummary, summarizeOdds } from "./odds-rows.ts";

const HEAD = [
  ...["odds of", "class", "bars", "n", "n_eff", "in 50%", "in 80%", "in 90%"],
  ...["CRPS skill", "touch skill", "off by", "method"],
];
const WIDTHS = [15, 8, 9, 8, 9, 8, 8, 8, 12, 13, 8];

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
  const sentence = rangeSentence(summary);
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}`;
}

/** States how often the range held. */
export const rangeSentence = ({ forecasts, cover_80, horizon }: OddsSummary): string =>
  `the 80% range held the close ${horizon} bars later in ${percent(cover_80)} of ${count(forecasts)} forecasts${forecasts < MIN_BUCKET ? ` (under ${MIN_BUCKET}: not measured)` : ""}.`;

/** Buckets named in a sentence. */
const NAMED = 3;
const EVENTS: Readonly<Record<OddsBucket["event"], string>> = {
  in_80_range: "close in the 80% range",
  touch: "touch",
  stop_first: "stop first",
  target_first: "target first",
};

/** States how many buckets of odds came true, and which did not. */
export function bucketSentences({
  measured,
  within_3_points,
  outside,
  reason,
}: BucketAnswer): readonly string[] {
  if (reason !== null) return [reason];
  const rest = measured - within_3_points - NAMED;
  return [
    `Odds by bars, side and volatility: ${within_3_points} of ${measured} groups of ${MIN_BUCKET} or more forecasts are within ${100 * MAX_MISS} points of what happened.`,
    ...(outside.length === 0
      ? []
      : [
          `Off by more: ${outside.slice(0, NAMED).map(bucketText).join("; ")}${rest > 0 ? `; and ${rest} more` : ""}.`,
        ]),
  ];
}

function bucketText({ horizon, event, side, volatility, odds, happened, n, n_eff }: OddsBucket): string {
  const place =
    event === "touch" ? ` ${side === "LONG" ? "above" : "below"}` : side === null ? "" : ` of ${side}`;
  return `${EVENTS[event]}${place} at ${horizon} bars, volatility ${volatility}: said ${percent(odds)}, happened ${percent(happened)} (${count(n)} forecasts, about ${n_eff.toFixed(0)} independent)`;
}

const count = (n: number): string => n.toLocaleString("en-US");

/** Formats rows of odds as a table; without rows: their reason. */
export function formatOddsRows(
  { rows, reason }: { readonly rows: readonly OddsRow[]; readonly reason: string | null },
  paint: Paint,
): readonly string[] {
  return rows.length === 0
    ? [...(reason === null ? [] : [paint("yellow", reason)])]
    : [paint("dim", tableRow(HEAD, WIDTHS)), ...rows.map(formatRow)];
}

const formatRow = ({ touch, ...row }: OddsRow): string =>
  tableRow(
    [
      row.period,
      row.asset_class ?? "all",
      row.timeframe === "1d" ? String(row.horizon) : `${row.horizon} x ${row.timeframe}`,
      String(row.n),
      row.n_eff.toFixed(1),
      percent(row.cover_50),
      percent(row.cover_80),
      percent(row.cover_90),
      percent(row.crps_skill),
      percent(touch.brier_skill),
      percent(touch.calibration_error),
      row.version,
    ],
    WIDTHS,
  );

const percent = (share: number | null): string => (share === null ? "-" : `${(100 * share).toFixed(1)}%`);
