import { z } from "zod";
import { Iso } from "../answers.ts";
import { Percent, Price, Ratio, Usd } from "../figures.ts";

const figure = z.number().nullable();
const Side = z.enum(["call", "put"]);

/** One figure for calls, puts and both. */
export const FlowSides = z.object({
  call: figure,
  put: figure,
  total: figure,
  put_call: Ratio.nullable().describe("Puts over calls; null without calls"),
});
export type FlowSides = z.infer<typeof FlowSides>;

export const FlowContract = z.object({
  contract: z.string().describe("OSI symbol without padding"),
  expiry: z.iso.date(),
  type: Side,
  strike: z.number(),
  days: z.number().int().describe("Calendar days to expiry"),
  bid: figure,
  ask: figure,
  last: figure,
  volume: figure.describe("Contracts traded in the session, or since the earlier snapshot"),
  open_interest: figure,
  volume_oi: Ratio.nullable().describe("Volume of the whole session over open interest"),
  premium: Usd.nullable().describe("Estimated US dollars: volume x quote midpoint x 100"),
  iv: Ratio.nullable().describe("Annualized implied volatility as a fraction"),
  delta: Ratio.nullable(),
});
export type FlowContract = z.infer<typeof FlowContract>;

/** Trades of one kind on a tape. */
export const FlowTrades = z.object({
  count: z.number().int(),
  premium: FlowSides,
  net_call_premium: Usd.nullable().describe(
    "Premium at the ask minus premium at the bid; null without quotes",
  ),
  net_put_premium: Usd.nullable(),
  largest: z.array(
    z.object({
      contract: z.string(),
      expiry: z.iso.date(),
      type: Side,
      strike: z.number(),
      executed_at: Iso,
      price: Price,
      size: z.number().describe("Contracts"),
      trades: z.number().int(),
      premium: Usd,
      side: z
        .enum(["ask", "bid", "mixed"])
        .nullable()
        .describe("Side on which most of the premium was paid; null if unknown"),
    }),
  ),
});
export type FlowTrades = z.infer<typeof FlowTrades>;

export const FlowProvenance = z.object({
  provider: z.string(),
  fetched_at: Iso,
  as_of: Iso.describe("Time the figures refer to"),
  delay_minutes: figure,
  stale: z.boolean().describe("true: no provider responds now, this is the last known data"),
  fallback_from: z.array(z.string()).describe("Providers that were tried first and returned nothing"),
});
export type FlowProvenance = z.infer<typeof FlowProvenance>;

export const FlowCoverage = z.object({
  status: z.enum(["covered", "not_covered", "not_connected"]),
  reason: z.string().nullable().describe("Why there is no data"),
});
export type FlowCoverage = z.infer<typeof FlowCoverage>;

/** Coverage of data whose providers can fail while other data of the answer is there. */
const PartCoverage = FlowCoverage.extend({
  status: z
    .enum(["covered", "not_covered", "not_connected", "unavailable"])
    .describe("unavailable: the provider fails; reason gives the cause"),
});

export const OptionsFlow = z.object({
  coverage: PartCoverage,
  derived_from: z
    .enum(["chain_snapshot", "chain_snapshot_and_tape", "tape"])
    .nullable()
    .describe("chain_snapshot: volumes and quotes of contracts, without trade sides; tape: single trades"),
  session: z.iso
    .date()
    .nullable()
    .describe("Session of the volumes: the previous one while the market is closed"),
  underlying: z.object({ price: Price.nullable(), traded_at: Iso.nullable() }),
  contracts: z.number().int().nullable().describe("Contracts summed; null without a chain"),
  volume: FlowSides.describe("Contracts traded in the session"),
  open_interest: FlowSides,
  premium: FlowSides.describe("Estimated US dollars: volume x quote midpoint x 100"),
  volume_oi: Ratio.nullable().describe("Volume over open interest"),
  iv: z.object({
    atm_30d: Ratio.nullable().describe("At-the-money volatility for 30 days, an annualized fraction"),
    rank: Percent.nullable().describe(
      "0-100: position between the lowest and highest of the last 252 stored days",
    ),
    percentile: Percent.nullable().describe("0-100: share of those days on which it was lower"),
    days: z.number().int().nullable().describe("Stored days in the ranking, at most 252"),
    reason: z.string().nullable(),
  }),
  skew: z.object({
    put_25d: Ratio.nullable().describe("Put, delta -0.25"),
    call_25d: Ratio.nullable(),
    put_less_atm: Ratio.nullable(),
    put_less_call: Ratio.nullable(),
    reason: z.string().nullable(),
  }),
  expected_move: z
    .object({
      expiry: z.iso.date(),
      days: z.number().int(),
      strike: z.number(),
      dollars: Usd.describe("Mean move"),
      percent: Percent,
      low: Price,
      high: Price,
    })
    .nullable()
    .describe("Nearest expiry at least 5 days away; null if no straddle is quoted"),
  expected_move_reason: z.string().nullable(),
  gamma: z
    .object({
      net: z.number().describe("US dollars to hedge for a move of 1%, over all strikes"),
      strikes: z
        .array(z.object({ strike: z.number(), call: z.number(), put: z.number(), net: z.number() }))
        .describe("The 20 strikes with the largest net, by strike"),
      sign: z.string().describe("Sign convention"),
    })
    .nullable()
    .describe("Gamma exposure by strike; null if gamma or open interest is unknown"),
  gamma_reason: z.string().nullable(),
  unusual: z.object({
    preset: z.string().describe("Criteria; a chain does not show whether contracts were bought or sold"),
    count: z.number().int().nullable().describe("null if the chain lacks the data"),
    contracts: z.array(FlowContract).describe("Largest premium first"),
    reason: z.string().nullable(),
  }),
  most_active: z.array(FlowContract).describe("Highest volume first"),
  since: z
    .object({
      from: Iso.nullable().describe("null: since the session opened"),
      to: Iso,
      volume: FlowSides,
      premium: FlowSides,
      contracts: z.array(FlowContract).describe("Contracts traded in between, largest premium first"),
      corrected: z.number().int(),
    })
    .nullable()
    .describe("Trades since an earlier snapshot; null without a stored one"),
  since_reason: z.string().nullable(),
  sweeps: FlowTrades.nullable().describe("null without a trade feed that marks sweeps"),
  blocks: FlowTrades.nullable().describe("null without a trade feed"),
  tape: PartCoverage.extend({
    source: z.string().nullable(),
    from: Iso.nullable().describe("Start of the period, inclusive"),
    until: Iso.nullable().describe("End of the period"),
    block: z.string().describe("Definition of a block"),
  }),
});
export type OptionsFlow = z.infer<typeof OptionsFlow>;
