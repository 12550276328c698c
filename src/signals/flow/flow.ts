import { momentOf } from "../../analytics/flow/contract.ts";
import { differenceOf } from "../../analytics/flow/differences.ts";
import { expectedMove } from "../../analytics/flow/expected-move.ts";
import { gammaExposure } from "../../analytics/flow/gamma.ts";
import { ivRank } from "../../analytics/flow/iv-rank.ts";
import { ivAt30Days, smilesOf } from "../../analytics/flow/smile.ts";
import { ratio, sidesOf, sumsOf } from "../../analytics/flow/sums.ts";
import { BLOCK, blocksIn, sweepsIn } from "../../analytics/flow/tape.ts";
import { UNUSUAL, unusualIn } from "../../analytics/flow/unusual.ts";
import type { FlowProvenance, OptionsFlow } from "../../domain/flow.ts";
import type { Instrument } from "../../domain/market.ts";
import type { FlowDay, OptionChain } from "../../domain/options.ts";
import type { Ports, ToldBy, ToldChain, ToldTrades, Untold } from "../../ports/index.ts";
import { flowDayOf, isWhole } from "./keep.ts";
import { contractRow, rounded, sidesRow, tradesRow } from "./rows.ts";

const DAY = 86_400_000;
const YEAR = 252;
/** Strikes of gamma told, the largest by size. */
const STRIKES = 20;
const SIGN =
  "Dealers are taken to hold the calls and to have sold the puts: calls count positive, puts negative; no chain tells who holds what";

export interface FlowRequest {
  /** Only contracts of this expiry in sums and lists, `YYYY-MM-DD`. */
  readonly expiry: string | undefined;
  /** Contracts of each list at the most. */
  readonly limit: number;
  readonly signal: AbortSignal;
}
export type FlowPorts = Pick<Ports, "chains" | "flowTape" | "flowDays" | "clock">;

export interface FlowAnswer {
  readonly flow: OptionsFlow;
  readonly provenance: FlowProvenance | null;
  /** The last expiry that the source told, where it left out later ones. */
  readonly until: string | null;
}

/** What the options of one symbol say now. Keeps what its chain came to. Rejects as chains and tape do. */
export async function flowOf(
  instrument: Instrument,
  request: FlowRequest,
  { chains, flowTape, flowDays, clock }: FlowPorts,
): Promise<FlowAnswer> {
  const now = clock.now().getTime();
  const { signal } = request;
  const range = { from: now - DAY, until: now, signal };
  if (instrument.asset_class === "crypto") {
    const untold = {
      untold: "not_covered",
      reason: "Options are told of US stocks and funds alone",
    } as const;
    return { flow: nothing(untold, untold), provenance: null, until: null };
  }
  const [told, tape] = await Promise.all([
    chains.chain(instrument, { signal }),
    flowTape.trades(instrument, range),
  ]);
  if ("untold" in told) return { flow: nothing(told, tape, request.limit), provenance: null, until: null };
  const { chain } = told;
  if (chain.contracts.length === 0) {
    const untold = {
      untold: "not_covered",
      reason: `No options on ${instrument.symbol} are listed`,
    } as const;
    return { flow: nothing(untold, tape, request.limit), provenance: provenanceOf(told), until: null };
  }
  if (isWhole(told)) await flowDays.keep(instrument.symbol, flowDayOf(chain, now));
  const kept = await flowDays.days(instrument.symbol, { until: now, limit: YEAR });
  return {
    flow: read(told, kept, tape, request),
    provenance: provenanceOf(told),
    until: chain.until ?? null,
  };
}

const provenanceOf = ({ chain, ...by }: ToldChain): FlowProvenance => ({
  ...sourceRow(by),
  as_of: new Date(momentOf(chain)).toISOString(),
  delay_minutes: chain.delayMinutes,
});

/** Who told it and when, and who was asked in vain. */
export const sourceRow = ({ source, fetchedAt, stale, tried }: ToldBy) => {
  const silent = tried.filter(({ outcome, provider }) => outcome !== "answered" && provider !== source);
  return {
    provider: source,
    fetched_at: fetchedAt,
    stale,
    fallback_from: [...new Set(silent.map(({ provider }) => provider))],
  };
};

function read(
  { chain: whole, earlier }: ToldChain,
  kept: readonly FlowDay[],
  tape: ToldTrades | Untold,
  { expiry, limit }: FlowRequest,
): OptionsFlow {
  const now = momentOf(whole);
  const chain = ofExpiry(whole, expiry);
  const { volume, openInterest, premium } = sumsOf(chain.contracts);
  const unusual = unusualIn(chain);
  const active = chain.contracts
    .filter((one) => one.volume !== null && one.volume > 0)
    .toSorted((a, b) => b.volume! - a.volume! || (a.symbol < b.symbol ? -1 : 1));
  return {
    coverage: { status: "covered", reason: null },
    derived_from: "chain_snapshot",
    underlying: { price: chain.underlying.price, traded_at: chain.underlying.tradedAt },
    contracts: chain.contracts.length,
    volume: sidesRow(volume),
    open_interest: sidesRow(openInterest),
    premium: sidesRow(premium),
    volume_oi: rounded(ratio(volume.total, openInterest.total), 4),
    // of all expiries, whatever was asked for: 30 days lie between two of them
    ...volatilityOf(whole, kept),
    expected_move: moveRow(chain),
    gamma: gammaRow(chain),
    unusual: {
      preset: UNUSUAL,
      count: unusual.length,
      contracts: unusual.slice(0, limit).map(({ contract }) => contractRow(contract, now)),
    },
    most_active: active.slice(0, limit).map((one) => contractRow(one, now)),
    since: earlier === null ? null : sinceRow(ofExpiry(earlier, expiry), chain, limit),
    ...tapeRows(tape, limit),
  };
}

const ofExpiry = (chain: OptionChain, expiry: string | undefined): OptionChain =>
  expiry === undefined
    ? chain
    : { ...chain, contracts: chain.contracts.filter((one) => one.expiry === expiry) };

function volatilityOf(chain: OptionChain, kept: readonly FlowDay[]): Pick<OptionsFlow, "iv" | "skew"> {
  const smiles = smilesOf(chain);
  const [atm, put, call] = (["atm", "put", "call"] as const).map((which) => ivAt30Days(smiles, which)) as [
    number | null,
    number | null,
    number | null,
  ];
  const ranked = ivRank(atm, kept);
  const less = (one: number | null, other: number | null) =>
    one === null || other === null ? null : rounded(one - other, 4);
  return {
    iv: {
      atm_30d: rounded(atm, 4),
      rank: rounded(ranked.rank, 1),
      percentile: rounded(ranked.percentile, 1),
      days: ranked.days,
      reason: ranked.reason,
    },
    skew: {
      put_25d: rounded(put, 4),
      call_25d: rounded(call, 4),
      put_less_atm: less(put, atm),
      put_less_call: less(put, call),
      reason: put === null || atm === null ? "No volatilities of puts around delta -0.25 and 30 days" : null,
    },
  };
}

function moveRow(chain: OptionChain): OptionsFlow["expected_move"] {
  const move = expectedMove(chain);
  if (move === null) return null;
  const cents = (value: number) => Number(value.toFixed(2));
  const { dollars, percent, low, high } = move;
  return { ...move, dollars: cents(dollars), percent: cents(percent), low: cents(low), high: cents(high) };
}

function gammaRow(chain: OptionChain): OptionsFlow["gamma"] {
  const gamma = gammaExposure(chain);
  if (gamma === null) return null;
  const largest = gamma.strikes
    .toSorted((a, b) => Math.abs(b.net) - Math.abs(a.net))
    .slice(0, STRIKES)
    .sort((a, b) => a.strike - b.strike);
  const whole = (value: number) => Math.round(value) + 0;
  return {
    net: whole(gamma.net),
    strikes: largest.map(({ strike, call, put, net }) => ({
      ...{ strike, call: whole(call), put: whole(put), net: whole(net) },
    })),
    sign: SIGN,
  };
}

function sinceRow(earlier: OptionChain, later: OptionChain, limit: number): OptionsFlow["since"] {
  const { from, to, traded, corrected } = differenceOf(earlier, later);
  const typed = traded.map(({ contract: { type }, volume, premium }) => ({ type, volume, premium }));
  return {
    from: from === null ? null : new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    volume: sidesRow(sidesOf(typed, ({ volume }) => volume)),
    premium: sidesRow(sidesOf(typed, ({ premium }) => premium)),
    contracts: traded.slice(0, limit).map((one) => contractRow(one.contract, to, one)),
    corrected,
  };
}

function tapeRows(tape: ToldTrades | Untold, limit: number): Pick<OptionsFlow, "sweeps" | "blocks" | "tape"> {
  const block = BLOCK;
  if ("untold" in tape)
    return {
      sweeps: null,
      blocks: null,
      tape: { status: tape.untold, reason: tape.reason, source: null, block },
    };
  const sweeps = sweepsIn(tape.trades);
  return {
    sweeps: sweeps && tradesRow(sweeps, limit),
    blocks: tradesRow(blocksIn(tape.trades), limit),
    tape: {
      status: "covered",
      reason:
        sweeps === null
          ? "The tape does not mark sweeps"
          : tape.completeFrom === null
            ? null
            : `Only what traded since ${new Date(tape.completeFrom).toISOString()} is told whole`,
      source: tape.source,
      block,
    },
  };
}

const NO_SIDES = { call: null, put: null, total: null, put_call: null };

/** What is told where there is no chain: nothing, and why; of a tape what it has. */
function nothing({ untold, reason }: Untold, tape: ToldTrades | Untold, limit = 0): OptionsFlow {
  return {
    coverage: { status: untold, reason },
    derived_from: null,
    underlying: { price: null, traded_at: null },
    contracts: 0,
    ...{ volume: NO_SIDES, open_interest: NO_SIDES, premium: NO_SIDES, volume_oi: null },
    iv: { atm_30d: null, rank: null, percentile: null, days: 0, reason },
    skew: { put_25d: null, call_25d: null, put_less_atm: null, put_less_call: null, reason },
    ...{ expected_move: null, gamma: null, since: null },
    unusual: { preset: UNUSUAL, count: 0, contracts: [] },
    most_active: [],
    ...tapeRows(tape, limit),
  };
}
