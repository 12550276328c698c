import { z } from "zod";
import { Iso } from "../answers.ts";

const figure = z.number().nullable();
const Side = z.enum(["call", "put"]);

/** A figure of calls and puts. */
export const FlowSides = z.object({
  call: figure,
  put: figure,
  total: figure,
  put_call: figure.describe("Puts over calls; null without calls"),
});
export type FlowSides = z.infer<typeof FlowSides>;

/** One option contract as callers see it. */
export const FlowContract = z.object({
  contract: z.string().describe("OSI symbol without padding"),
  expiry: z.iso.date(),
  type: Side,
  strike: z.number(),
  days: z.number().int().describe("Calendar days until it expires"),
  bid: figure,
  ask: figure,
  last: figure,
  volume: figure.describe("Contracts: of the session, or since the earlier snapshot"),
  open_interest: figure,
  volume_oi: figure.describe("Volume of the whole session over open interest"),
  premium: figure.describe("Dollars, estimated: volume x middle of the quotes x 100"),
  iv: figure.describe("Implied volatility a year as a fraction"),
  delta: figure,
});
export type FlowContract = z.infer<typeof FlowContract>;

/** Trades of one kind on a tape. */
export const FlowTrades = z.object({
  count: z.number().int(),
  premium: FlowSides,
  net_call_premium: figure.describe("Paid at the offer less paid at the bid; null without quotes"),
  net_put_premium: figure,
  largest: z.array(
    z.object({
      contract: z.string(),
      expiry: z.iso.date(),
      type: Side,
      strike: z.number(),
      executed_at: Iso,
      price: z.number(),
      size: z.number().describe("Contracts"),
      trades: z.number().int(),
      premium: z.number(),
      side: z.enum(["ask", "bid", "mixed"]).nullable().describe("Where most of it was paid; null if unknown"),
    }),
  ),
});
export type FlowTrades = z.infer<typeof FlowTrades>;

/** Provenance of option figures. */
export const FlowProvenance = z.object({
  provider: z.string(),
  fetched_at: Iso,
  as_of: Iso.describe("The moment the figures are true of"),
  delay_minutes: figure,
  stale: z.boolean().describe("true: no provider answers now, this is the last known answer"),
  fallback_from: z.array(z.string()).describe("Providers that were asked too and had no answer"),
});
export type FlowProvenance = z.infer<typeof FlowProvenance>;

/** Availability of flow data, with the reason if there is none. */
export const FlowCoverage = z.object({
  status: z.enum(["covered", "not_covered", "not_connected"]),
  reason: z.string().nullable().describe("Why there is nothing; names the setting that connects a source"),
});
export type FlowCoverage = z.infer<typeof FlowCoverage>;

/** Everything said of one symbol's options. */
export const OptionsFlow = z.object({
  coverage: FlowCoverage,
  derived_from: z
    .enum(["chain_snapshot", "chain_snapshot_and_tape", "tape"])
    .nullable()
    .describe(
      "chain_snapshot: volumes and quotes of contracts, not single trades; sides are not known. With a tape sweeps and blocks are of single trades",
    ),
  session: z.iso
    .date()
    .nullable()
    .describe("Session whose volumes these are: the one before, while none is open"),
  underlying: z.object({ price: figure, traded_at: Iso.nullable() }),
  contracts: z.number().int().nullable().describe("Contracts the sums go over; null without a chain"),
  volume: FlowSides.describe("Contracts traded in the session"),
  open_interest: FlowSides,
  premium: FlowSides.describe("Dollars, estimated: volume x middle of the quotes x 100"),
  volume_oi: figure.describe("Volume over open interest"),
  iv: z.object({
    atm_30d: figure.describe("Volatility at the money for 30 days, a fraction a year"),
    rank: figure.describe("0-100 between lowest and highest of the last 252 kept days"),
    percentile: figure.describe("0-100, share of those days on which it was lower"),
    days: z.number().int().nullable().describe("Kept days it is ranked among, 252 at the most"),
    reason: z.string().nullable(),
  }),
  skew: z.object({
    put_25d: figure.describe("Volatility of the put of delta -0.25 for 30 days"),
    call_25d: figure,
    put_less_atm: figure,
    put_less_call: figure,
    reason: z.string().nullable(),
  }),
  expected_move: z
    .object({
      expiry: z.iso.date(),
      days: z.number().int(),
      strike: z.number(),
      dollars: z.number().describe("Straddle at the money: the mean size of the move"),
      percent: z.number(),
      low: z.number(),
      high: z.number(),
    })
    .nullable()
    .describe("Nearest expiry of at least 5 days; null where no straddle is quoted"),
  expected_move_reason: z.string().nullable(),
  gamma: z
    .object({
      net: z.number().describe("Dollars hedged for a move of 1%, over all strikes"),
      strikes: z
        .array(z.object({ strike: z.number(), call: z.number(), put: z.number(), net: z.number() }))
        .describe("The 20 of the largest net, by strike"),
      sign: z.string().describe("The convention behind the signs"),
    })
    .nullable()
    .describe("Gamma exposure by strike; null where gamma or open interest is unknown"),
  gamma_reason: z.string().nullable(),
  unusual: z.object({
    preset: z.string().describe("What counts; whether it was bought or sold is not known from a chain"),
    count: z.number().int().nullable().describe("null where the chain does not tell enough"),
    contracts: z.array(FlowContract).describe("Largest premium first"),
    reason: z.string().nullable(),
  }),
  most_active: z.array(FlowContract).describe("Most contracts traded first"),
  since: z
    .object({
      from: Iso.nullable().describe("null: since the session's open"),
      to: Iso,
      volume: FlowSides,
      premium: FlowSides,
      contracts: z.array(FlowContract).describe("What traded in between, largest premium first"),
      corrected: z.number().int(),
    })
    .nullable()
    .describe("What traded since an earlier snapshot; null where none was kept"),
  since_reason: z.string().nullable(),
  sweeps: FlowTrades.nullable().describe("null without a tape of trades that marks them"),
  blocks: FlowTrades.nullable().describe("null without a tape of trades"),
  tape: FlowCoverage.extend({
    status: z
      .enum(["covered", "not_covered", "not_connected", "unavailable"])
      .describe("unavailable: its source fails; reason says why"),
    source: z.string().nullable(),
    from: Iso.nullable().describe("Trades from here on"),
    until: Iso.nullable().describe("Trades up to here"),
    block: z.string().describe("What counts as a block"),
  }),
});
export type OptionsFlow = z.infer<typeof OptionsFlow>;
