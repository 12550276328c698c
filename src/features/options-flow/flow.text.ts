import type { FlowContract, FlowProvenance, FlowSides, OptionsFlow } from "../../domain/options-flow/flow.ts";
import { formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";

/** Maximum number of rows printed per list. */
const MAX_ROWS = 10;
const MAX_ACTIVE = 5;
const none = "-";
const formatCount = (value: number | null): string => (value === null ? none : value.toLocaleString("en-US"));
const formatDollars = (value: number | null): string =>
  value === null ? none : `$${formatCount(Math.round(value))}`;
const formatPercent = (value: number | null): string =>
  value === null ? none : `${(100 * value).toFixed(1)}%`;

interface FlowView extends OptionsFlow {
  readonly symbol: string;
  readonly as_of: string | null;
  readonly provenance: FlowProvenance | null;
}

export function formatFlow({ symbol, provenance, ...flow }: FlowView, paint: Paint): string {
  if (flow.coverage.status !== "covered")
    return [
      `${paint("bold", symbol)} ${flow.coverage.reason}`,
      ...(flow.tape.source === null ? [] : formatTape(flow)),
    ].join("\n");
  const { iv, skew, expected_move: move, gamma, unusual, most_active, since, underlying } = flow;
  const price = underlying.price === null ? "" : ` at $${underlying.price}`;
  return [
    `${paint("bold", symbol)}${price}: options volume ${formatSides(flow.volume, formatCount)}.`,
    paint(
      "dim",
      `${flow.contracts} contracts, session ${flow.session}, as of ${flow.as_of}, from ${provenance?.provider ?? "no provider"}`,
    ),
    ...(provenance?.stale
      ? [paint("yellow", "STALE: no provider responds now; this is the last known chain")]
      : []),
    `open interest  ${formatSides(flow.open_interest, formatCount)}`,
    `premium (est.) ${formatSides(flow.premium, formatDollars)}`,
    `volatility     ${formatPercent(iv.atm_30d)} at the money for 30 days, rank ${iv.rank ?? none}${iv.reason === null ? "" : paint("dim", ` (${iv.reason})`)}`,
    `skew           put of delta -0.25 ${formatPercent(skew.put_25d)}, call ${formatPercent(skew.call_25d)}`,
    ...(move === null
      ? [`expected move  ${paint("dim", `none: ${flow.expected_move_reason}`)}`]
      : [`expected move  $${move.dollars.toFixed(2)} (${move.percent}%) until ${move.expiry}`]),
    ...(gamma === null ? [] : [`gamma          ${formatDollars(gamma.net)} for a move of 1%`]),
    ...(since === null
      ? []
      : [
          `since ${since.from ?? "the open"}: ${formatSides(since.volume, formatCount)}, ${formatDollars(since.premium.total)}`,
        ]),
    unusual.count === null
      ? `${paint("bold", "unusual")}        ${paint("dim", `none: ${unusual.reason}`)}`
      : `${paint("bold", "unusual")}        ${unusual.count} ${paint("dim", `by these criteria: ${unusual.preset}`)}`,
    ...formatContracts(unusual.contracts.slice(0, MAX_ROWS), paint),
    ...(most_active.length === 0 ? [] : [paint("bold", "most active")]),
    ...formatContracts(most_active.slice(0, MAX_ACTIVE), paint),
    ...formatTape(flow),
  ].join("\n");
}

const formatSides = ({ call, put, put_call }: FlowSides, shown: (value: number | null) => string): string =>
  `calls ${shown(call)}, puts ${shown(put)}, put/call ${put_call ?? none}`;

const formatContracts = (contracts: readonly FlowContract[], paint: Paint): readonly string[] =>
  contracts.length === 0
    ? []
    : formatTable(
        contracts,
        [
          { head: "contract", cell: ({ expiry, strike, type }) => `${expiry} ${strike} ${type}` },
          { head: "volume", cell: ({ volume }) => formatCount(volume) },
          { head: "open interest", cell: ({ open_interest }) => formatCount(open_interest) },
          { head: "premium", cell: ({ premium }) => formatDollars(premium) },
        ],
        paint,
        "  ",
      );

const formatTape = ({ sweeps, blocks, tape }: OptionsFlow): readonly string[] => [
  sweeps === null
    ? `sweeps         none: ${tape.reason}`
    : `sweeps         ${sweeps.count}, ${formatDollars(sweeps.premium.total)}, from ${tape.source}`,
  ...(blocks === null ? [] : [`blocks         ${blocks.count}, ${formatDollars(blocks.premium.total)}`]),
];
