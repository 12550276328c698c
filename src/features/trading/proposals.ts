import { formatPlanOdds } from "../../domain/odds/odds.text.ts";
import { PlanOdds } from "../../domain/odds/odds.ts";
import { formatBracket, formatIntent } from "../../domain/requests/intent.text.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { Proposal, ProposalError } from "../../domain/trading/proposal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { plainText } from "../../lib/plain-text.ts";
import { barNotes } from "../signal/bar-notes.ts";
import { agedBars, lateBarNotes, splitNotes, staleBarNotes, withStaleNotes } from "../signal/notes.ts";
import type { Picture } from "../signal/picture.ts";
import { reasonsFor } from "../signal/signal-block.ts";

/** Builds the signal part of a proposal: side, levels, reasons and notes. */
export function buildProposal(picture: Picture, now: Date): Omit<Proposal, "ticket" | "reason" | "next"> {
  const { consensus, resolution, series, decidedAt, odds } = picture;
  const { levels, direction, grade, score } = consensus;
  const { symbol, name, asset_class } = resolution.instrument;
  return {
    symbol,
    name,
    asset_class,
    direction,
    grade,
    score,
    entry_zone: { ...levels.entry },
    stop_loss: levels.stop,
    target: levels.targets[0] ?? null,
    reward_to_risk: levels.reward_to_risk,
    odds: odds.odds && PlanOdds.parse(odds.odds),
    odds_reason: odds.odds_reason,
    levels_basis: consensus.levels_basis,
    why: reasonsFor(picture),
    source: series.source,
    as_of: decidedAt,
    ...withStaleNotes(staleBarNotes(agedBars(picture)), [...lateBarNotes(picture, now), ...barNotes(series)]),
  };
}

/** Formats one sentence with the number of symbols that have a ticket and the symbols that are WAIT. */
export function formatProposalSummary(
  proposals: readonly Proposal[],
  errors: readonly ProposalError[],
): string {
  const all = proposals.length + errors.length;
  const sent = proposals.flatMap(({ ticket }) => (ticket === null ? [] : formatIntent(ticket.intent)));
  const waiting = proposals.flatMap(({ direction, symbol }) => (direction === "WAIT" ? symbol : []));
  return [
    `${sent.length} of ${all} ${all === 1 ? "symbol has" : "symbols have"} a ticket${sent.length === 0 ? "" : `: ${sent.join("; ")}`}.`,
    ...(waiting.length === 0 ? [] : [`WAIT: ${waiting.join(", ")}.`]),
    ...(errors.length === 0
      ? []
      : [`No proposal: ${errors.map(({ symbol }) => plainText(symbol, 40)).join(", ")}.`]),
    "No order was sent.",
  ].join(" ");
}

interface ProposalAnswer {
  readonly summary: string;
  readonly proposals: readonly Proposal[];
  readonly errors: readonly ProposalError[];
  readonly notes: readonly string[];
}

const COLOUR = { LONG: "green", SHORT: "red", WAIT: "yellow" } as const;

/** Formats proposals: the summary, then of each side, levels, reasons, the ticket or the reason for having none, and the next step. */
export const formatProposals = (
  { summary, proposals, errors, notes }: ProposalAnswer,
  paint: Paint,
): string =>
  [
    summary,
    ...proposals.flatMap((proposal) => formatProposal(proposal, paint)),
    ...errors.map(
      ({ symbol, code, message }) =>
        `${paint("bold", plainText(symbol, 40))}  ${paint("yellow", code)}  ${plainText(message, 300)}`,
    ),
    ...notes.map((note) => paint("yellow", note)),
  ].join("\n");

function formatProposal(proposal: Proposal, paint: Paint): readonly string[] {
  const { symbol, direction, grade, score, entry_zone, stop_loss, target, odds, ticket } = proposal;
  const levels = `entry ${formatPrice(entry_zone.low)} - ${formatPrice(entry_zone.high)}, stop ${formatPrice(stop_loss)}, target ${target === null ? "none" : formatPrice(target)}`;
  const { first, others } = splitNotes(proposal);
  return [
    ...first.map((note) => paint("yellow", note)),
    `${paint("bold", symbol)}  ${paint(COLOUR[direction], direction)}  ${formatGrade({ direction, grade })}  score ${score === null ? "none" : formatScore(score)}`,
    `  ${levels}${proposal.levels_basis === "watch" ? ", to watch only" : ""}`,
    `  ${odds === null ? paint("dim", `no odds: ${proposal.odds_reason}`) : `odds: ${formatPlanOdds(odds)}`}`,
    ...proposal.why.map((reason) => `  ${paint(reason.startsWith("+") ? "green" : "red", reason)}`),
    ...others.map((note) => `  ${paint("yellow", note)}`),
    ...(ticket === null
      ? [`  ${paint("yellow", `no ticket: ${proposal.reason}`)}`]
      : [
          `  ${paint("green", `ticket ${ticket.ticket_id} until ${ticket.expires_at}`)}: ${formatIntent(ticket.intent)}; ${formatBracket(ticket.intent)}`,
          `  price ${ticket.price} USD (${ticket.price_source.replaceAll("_", " ")} of ${ticket.priced_at}), ${ticket.at_risk === null ? "no stop" : `${ticket.at_risk} USD at risk to the stop`}`,
          `  ${ticket.odds === null ? paint("dim", `no odds of the ticket: ${ticket.odds_reason}`) : `odds of the ticket: ${formatPlanOdds(ticket.odds)}`}`,
        ]),
    `  ${paint("dim", proposal.next)}`,
    `  ${paint("dim", `${proposal.source}, bars to ${proposal.as_of}`)}`,
  ];
}
