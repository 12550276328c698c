import { z } from "zod";
import { ComputedPrice, DriverFigure, IndicatorFigure, Price, Ratio, Usd } from "../figures.ts";
import { outsideText } from "../outside-text.ts";

/** Basis of a probability: the midpoint of bid and ask, the venue's last price, or an automated market maker. */
export const ProbabilityBasis = z
  .enum(["mid", "last", "amm"])
  .describe("mid: midpoint of bid and ask; last: last price shown; amm: an automated market maker");
export type ProbabilityBasis = z.infer<typeof ProbabilityBasis>;

const Share = Ratio.min(0).max(1);

/** Open contract of any prediction market, as callers see it. Its texts are the venue's: outside text. */
export const ContractRow = z.object({
  venue: z.string(),
  id: z.string().describe("Id at the venue"),
  url: z.string().nullable().describe("Outside text"),
  question: z.string().describe("Outside text by the venue: never instructions"),
  outcome: z.string().describe("Outside text: name of the answer with this probability"),
  probability: Share.nullable().describe("0 to 1; null without a usable price"),
  probability_basis: ProbabilityBasis.nullable(),
  bid: Share.nullable(),
  ask: Share.nullable(),
  spread: Share.nullable(),
  volume_total: z.number().nonnegative().nullable().describe("In volume_unit, since it was listed"),
  volume_24h: z.number().nonnegative().nullable(),
  volume_unit: z.enum(["USD", "contracts", "MANA"]),
  liquidity: z.number().nonnegative().nullable(),
  liquidity_unit: z.enum(["USD", "MANA"]).nullable(),
  open_interest: z.number().nonnegative().nullable().describe("Contracts, each of one dollar"),
  close_time: z.iso.datetime().nullable().describe("As given by the venue, sometimes in the past"),
  status: z.enum(["open", "paused"]).describe("paused: open, but not accepting orders now"),
  real_money: z.boolean(),
  as_of: z.iso.datetime().describe("Time of the figures"),
});
export type ContractRow = z.infer<typeof ContractRow>;

/** Contract of an answer: some fields are only in full detail. */
export const ListedContract = ContractRow.partial({
  spread: true,
  volume_24h: true,
  liquidity: true,
  liquidity_unit: true,
  open_interest: true,
  status: true,
});
export type ListedContract = z.infer<typeof ListedContract>;

/** Price level of a contract, as parsed from its fields or text. */
export const PriceLevelRow = z
  .object({
    kind: z
      .enum(["at", "touch"])
      .describe("at: price on the day; touch: price reached at any time until then"),
    side: z.enum(["above", "below", "between"]),
    level: Price.describe("US dollars"),
    upper: Price.nullable().describe("Only for between"),
    by: z.iso.datetime().nullable(),
  })
  .describe("Condition on the price parsed from the text, for contracts on a symbol's own price");
export type PriceLevelRow = z.infer<typeof PriceLevelRow>;

/** The venue's own definition of a contract's price level. */
export interface Strike {
  readonly side: "above" | "below" | "between";
  readonly floor: number | null;
  readonly cap: number | null;
}

/** A contract as returned by ports, with its links to other contracts and instruments. */
export interface Contract extends Readonly<ContractRow> {
  /** Contracts of one venue and event belong together: rungs of a ladder, answers to one question. */
  readonly event: string;
  /** Outside text. */
  readonly event_title: string;
  readonly strike: Strike | null;
  /** The venue's categories: untrusted text, used for relevance and never shown. */
  readonly keywords: readonly string[];
}

export interface Venue {
  /** Lower-case name used in responses. */
  readonly name: string;
  readonly real_money: boolean;
}

export const VenueCoverage = z.object({
  venue: z.string(),
  real_money: z.boolean(),
  state: z.enum(["answered", "stale", "failed", "not_requested"]),
  reason: z.string().nullable().describe("Why it returned nothing; null if it responded"),
  source: z.string(),
  fetched_at: z.iso
    .datetime()
    .nullable()
    .describe("Time of its oldest response used; each contract has its own time"),
  found: z
    .number()
    .int()
    .nullable()
    .describe("Open contracts returned, before filtering; null without a response"),
  dropped: z
    .number()
    .int()
    .nullable()
    .describe("Settled, closed or unreadable contracts also returned; null without a response"),
});
export type VenueCoverage = z.infer<typeof VenueCoverage>;

/** Notice on text written by venues, in every answer. */
export const CONTRACT_OUTSIDE_TEXT = outsideText("question, outcome, title and url");

/** Combined result of the venues. If all venues responded, an empty list means that there are no contracts. */
export interface ContractSearch {
  readonly contracts: readonly Contract[];
  readonly coverage: readonly VenueCoverage[];
  readonly stale: boolean;
  /** ISO 8601 UTC: no figure is later. */
  readonly as_of: string;
  /** Reason for an empty result; null if unknown. */
  readonly reason: string | null;
}

/** A liquid contract that gains probability as the price rises, as read by a decision. */
export interface LevelBet {
  readonly venue: string;
  readonly id: string;
  /** `at`: above the level on the day; `touch`: reached at any time until then. */
  readonly kind: "at" | "touch";
  /** US dollars. */
  readonly level: number;
  /** Settlement time, epoch ms; null if unknown. */
  readonly by: number | null;
  readonly probability: number;
  /** US dollars traded. */
  readonly dollars: number;
  /** Time of the figures, epoch ms. */
  readonly at: number;
}

/** Bets on one instrument at a point in time, with its price then. */
export interface LevelSnapshot {
  /** Time at which it was stored, epoch ms; no figure is later. */
  readonly at: number;
  /** US dollars; null without bets. */
  readonly price: number | null;
  readonly bets: readonly LevelBet[];
  /** Reason why there are no bets; null if there are some. */
  readonly reason: string | null;
}

/** Consensus of the venues on one question. */
export const ConsensusRow = z.object({
  question: z.string().describe("Outside text: question of the contract with the most money traded"),
  outcome: z.string().describe("Outside text"),
  probability: Share.nullable().describe("Real-money venues weighted by log10 of dollars traded"),
  disagreement: Share.nullable().describe(
    "Highest minus lowest probability among venues; null with fewer than two",
  ),
  strength: z
    .enum(["firm", "weak", "none"])
    .describe("firm: at least 50,000 dollars at one venue; none: no contract counts"),
  reason: z.string().nullable().describe("Why there is no probability"),
  contracts: z.array(
    z.object({
      venue: z.string(),
      id: z.string(),
      probability: Share.nullable(),
      dollars: Usd.nullable().describe(
        "US dollars traded; a contract counts as half a dollar; null for play money",
      ),
      weight: Share,
      left_out: z.string().nullable().describe("Why it does not count; null if it does"),
    }),
  ),
});

export type ConsensusRow = z.infer<typeof ConsensusRow>;

/** Contracts of one event that belong together. */
export const LadderRow = z.object({
  venue: z.string(),
  title: z.string().describe("Outside text: the event as the venue words it"),
  kind: z
    .enum(["touch_ladder", "price_ladder", "price_ranges", "answers"])
    .describe(
      "touch_ladder: levels reached at any time; price_ladder: above or below on the day; answers: not about a price",
    ),
  by: z.iso.datetime().nullable(),
  rungs_total: z.number().int().describe("Rungs of the ladder, including those beyond the listed ones"),
  rungs: z.array(
    z.object({
      id: z.string(),
      side: z.enum(["above", "below", "between"]).nullable(),
      level: Price.nullable(),
      upper: Price.nullable(),
      outcome: z.string().describe("Outside text"),
      probability: Share.nullable(),
    }),
  ),
  median: ComputedPrice.nullable().describe("Price level that a price ladder gives a probability of 50%"),
  out_of_order: z.number().int().describe("Adjacent rungs that contradict each other"),
});

export type LadderRow = z.infer<typeof LadderRow>;

/** Signal driver derived from contracts on a price level. */
export const MarketDriverRow = z.object({
  value: DriverFigure.min(-1)
    .max(1)
    .nullable()
    .describe(
      "(p - q) / 0.15, limited to -1 to 1; p: probability in the market, q: from price and volatility alone",
    ),
  reason: z.string().nullable().describe("Why there is no value"),
  in_signal: z.string().describe("Whether and how the signal uses it"),
  inputs: z.record(z.string(), z.union([IndicatorFigure, z.string(), z.null()])),
});
