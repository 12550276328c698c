import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import type {
  ListedContract,
  ProbabilityBasis,
  VenueCoverage,
} from "../../domain/prediction-markets/contracts.ts";
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
 * Formats contracts, one per line with probability, volume, venue and question, then the driver and the venues without
 * results.
 */
export function formatContracts(answer: ContractsView, paint: Paint): string {
  const { contracts, total, reason, driver, coverage, as_of, next_cursor } = answer;
  return [
    ...(contracts.length === 0 ? [] : [paint("dim", QUOTED_TEXT_NOTICE)]),
    ...contracts.map((contract) => formatContract(contract, paint)),
    ...(reason === null ? [] : [paint("yellow", reason)]),
    ...(driver === null
      ? []
      : [
          driver.value === null
            ? `The signal has no value for prediction markets: ${driver.reason}`
            : `Prediction markets are ${formatLean(driver.value)} in the signal.`,
        ]),
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

function formatContract(contract: ListedContract, paint: Paint): string {
  const { venue, question, outcome, probability, probability_basis, volume_total, volume_unit } = contract;
  const share = probability === null ? "  ?  " : `${(100 * probability).toFixed(1).padStart(5)}%`;
  const volume =
    volume_total === null
      ? "volume unknown"
      : `${Math.round(volume_total).toLocaleString("en-US")} ${volume_unit} traded`;
  const answer = outcome === "Yes" ? "" : `  ${quoted(outcome, MAX_QUESTION_LENGTH)}`;
  const basis = probability_basis === null ? "" : ` (${BASES[probability_basis]})`;
  return `${paint("bold", share)} on ${venue}${basis}: ${quoted(question, MAX_QUESTION_LENGTH)}${answer}, ${paint("dim", volume)}`;
}

const BASES = {
  mid: "midpoint",
  last: "last price",
  amm: "automated market maker",
} as const satisfies Record<ProbabilityBasis, string>;

const formatLean = (value: number): string =>
  `${value > 0 ? "bullish" : value < 0 ? "bearish" : "neutral"}, ${Math.abs(value).toFixed(2)} of 1,`;
