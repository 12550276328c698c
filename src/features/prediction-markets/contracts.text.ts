import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import type {
  ListedContract,
  ProbabilityBasis,
  VenueCoverage,
} from "../../domain/prediction-markets/contracts.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";

const MAX_QUESTION_LENGTH = 90;

interface ContractsView {
  readonly symbol: string | null;
  readonly topic: string | null;
  readonly contracts: readonly ListedContract[];
  readonly total: number | null;
  readonly reason: string | null;
  readonly driver: { readonly value: number | null; readonly reason: string | null } | null;
  readonly coverage: readonly Pick<VenueCoverage, "venue" | "state" | "reason">[];
  readonly as_of: string | null;
  readonly next_cursor: string | null;
}

/**
 * Formats the driver, the contracts as a table of probability, question, venue and volume, and the venues without results.
 */
export function formatContracts(answer: ContractsView, paint: Paint): string {
  const { contracts, total, reason, driver, coverage, as_of, next_cursor } = answer;
  return [
    ...(driver === null
      ? []
      : [
          driver.value === null
            ? `The signal has no value for prediction markets: ${driver.reason}`
            : `Prediction markets are ${formatLean(driver.value)} in the signal.`,
        ]),
    ...(contracts.length === 0
      ? []
      : [paint("dim", QUOTED_TEXT_NOTICE), ...formatTable(contracts, columnsOf(paint), paint)]),
    ...(reason === null ? [] : [paint("yellow", reason)]),
    ...coverage.flatMap(({ venue, state, reason: why }) =>
      state === "answered" ? [] : [paint("yellow", `${venue}: ${why ?? state}`)],
    ),
    paint(
      "dim",
      `${contracts.length} of ${total ?? "an unknown number of"} contracts${as_of === null ? "" : `; as of ${as_of}`}`,
    ),
    ...nextPageLine(next_cursor, paint),
  ].join("\n");
}

const columnsOf = (paint: Paint): readonly Column<ListedContract>[] => [
  {
    head: "odds",
    cell: ({ probability }) =>
      paint("bold", probability === null ? "?" : `${(100 * probability).toFixed(1).padStart(4)}%`),
  },
  {
    head: "contract",
    cell: ({ question, outcome }) =>
      `${quoted(question, MAX_QUESTION_LENGTH)}${outcome === "Yes" ? "" : `  ${quoted(outcome, MAX_QUESTION_LENGTH)}`}`,
  },
  { head: "venue", cell: ({ venue }) => venue, rank: 1 },
  {
    head: "traded",
    cell: ({ volume_total: volume, volume_unit }) =>
      volume === null ? "-" : `${Math.round(volume).toLocaleString("en-US")} ${volume_unit}`,
    rank: 2,
  },
  {
    head: "basis",
    cell: ({ probability_basis: basis }) => (basis === null ? "-" : BASES[basis]),
    rank: 3,
  },
];

const BASES = {
  mid: "midpoint",
  last: "last price",
  amm: "automated market maker",
} as const satisfies Record<ProbabilityBasis, string>;

const formatLean = (value: number): string =>
  `${value > 0 ? "bullish" : value < 0 ? "bearish" : "neutral"}, ${Math.abs(value).toFixed(2)} of 1,`;
