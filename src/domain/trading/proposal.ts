import { z } from "zod";
import { Failure, Iso, StaleNotes } from "../answers.ts";
import { Price, Ratio, Score } from "../figures.ts";
import { AssetClass } from "../market/market.ts";
import { PlanOdds } from "../odds/odds.ts";
import { Direction, Grade } from "../signal/signal.ts";
import { Preview } from "./preview.ts";
import { AccountType, Amount, BrokerName, Intent } from "./trading.ts";

/** Ticket that sends a proposed trade once, as returned by preview_trade; nothing is sent to the broker before that. */
export const ProposedTicket = z.object({
  ticket_id: z.string().describe("Argument of execute_trade, valid once and for 5 minutes"),
  expires_at: Iso,
  intent: Intent,
  price: Amount.describe("US dollars per unit, from the quote used for sizing"),
  price_source: Preview.shape.quote.shape.price_source,
  priced_at: Iso.describe("When that price traded"),
  at_risk: Amount.nullable().describe("Loss at the stop, US dollars, before costs"),
  worst: Amount.nullable().describe("Loss without the stop, US dollars; null: unlimited"),
  odds: PlanOdds.nullable().describe("Odds of the exits of the intent, from the market price"),
  odds_reason: z.string().nullable().describe("Reason why odds is null"),
});
export type ProposedTicket = z.infer<typeof ProposedTicket>;

/** Proposal from the signal of one symbol: a side with its reasons, and a ticket if it may be traded. */
export const Proposal = z.object({
  symbol: z.string(),
  name: z.string(),
  asset_class: AssetClass,
  direction: Direction.describe("WAIT: no trade is proposed, and there is no ticket"),
  grade: Grade.nullable(),
  score: Score.nullable().describe("0-100, 50 neutral; null when its data is missing"),
  entry_zone: z.object({ low: Price, high: Price }).describe("US dollars"),
  stop_loss: Price.describe("US dollars"),
  target: Price.nullable().describe("First target, US dollars"),
  reward_to_risk: Ratio.describe("From the zone's worse edge to the first target"),
  odds: PlanOdds.nullable().describe("Odds of stop_loss and target, from the last close"),
  odds_reason: z.string().nullable().describe("Reason why odds is null"),
  levels_basis: z.enum(["signal", "watch"]).describe("watch: the levels of a WAIT, for watching only"),
  why: z.array(z.string()).describe("The strongest drivers for and against, in words"),
  source: z.string().describe("Provider of the bars"),
  as_of: Iso.describe("Close time of the decision bar"),
  notes: z.array(z.string()).describe("Caveats, such as old bars"),
  stale_notes: StaleNotes,
  ticket: ProposedTicket.nullable().describe("null with a reason"),
  reason: z.string().nullable().describe("Why there is no ticket"),
  next: z.string().describe("Next step"),
});
export type Proposal = z.infer<typeof Proposal>;

export const ProposalError = z.object({
  symbol: z.string().describe("Symbol as requested"),
  ...Failure.shape,
});
export type ProposalError = z.infer<typeof ProposalError>;

/** Broker connection of the tickets. */
export const TicketConnection = z
  .object({ connection_id: z.string(), broker: BrokerName, account_type: AccountType })
  .describe("Broker connection of the tickets");
