import { quoteTime, sessionDateOf } from "../../analytics/flow/contract.ts";
import { differenceOf } from "../../analytics/flow/differences.ts";
import { expectedMove } from "../../analytics/flow/expected-move.ts";
import { gammaExposure } from "../../analytics/flow/gamma.ts";
import { ivRank } from "../../analytics/flow/iv-rank.ts";
import { ivAt30Days, smilesOf } from "../../analytics/flow/smile.ts";
import { ratio, sidesOf, sumsOf } from "../../analytics/flow/sums.ts";
import { UNUSUAL_DEFINITION, unusualIn } from "../../analytics/flow/unusual.ts";
import type { OptionsFlow } from "../../domain/options-flow/flow.ts";
import type { FlowDay, OptionChain } from "../../domain/options-flow/options.ts";
import type { DataUnavailable, OptionChainAnswer } from "../../domain/ports.ts";
import { contractRow, rounded, sidesRow } from "./rows.ts";
import { type TapeResult, tapeRows } from "./tape-rows.ts";

/** Number of gamma strikes returned, largest first. */
const MAX_STRIKES = 20;
const SIGN =
  "Dealers are assumed to hold the calls and to have sold the puts: calls count as positive, puts as negative; chains do not show who holds what";
const NO_PRICE = "The chain has no price of the underlying";

export interface FlowSelection {
  /** Limits sums and lists to contracts of this expiry, `YYYY-MM-DD`. */
  readonly expiry: string | undefined;
  /** Maximum number of contracts per list. */
  readonly limit: number;
}

export function summarizeFlow(
  { chain: toInteger, earlier }: OptionChainAnswer,
  history: readonly FlowDay[],
  tape: TapeResult,
  { expiry, limit }: FlowSelection,
): OptionsFlow {
  const now = quoteTime(toInteger);
  const chain = ofExpiry(toInteger, expiry);
  const { volume, openInterest, premium } = sumsOf(chain.contracts);
  const trades = tapeRows(tape, limit);
  const active = chain.contracts
    .filter((one) => one.volume !== null && one.volume > 0)
    .toSorted((a, b) => b.volume! - a.volume! || (a.symbol < b.symbol ? -1 : 1));
  return {
    coverage: { status: "covered", reason: null },
    derived_from: trades.tape.status === "covered" ? "chain_snapshot_and_tape" : "chain_snapshot",
    session: sessionDateOf(toInteger),
    underlying: { price: rounded(chain.underlying.price, 4), traded_at: chain.underlying.tradedAt },
    contracts: chain.contracts.length,
    volume: sidesRow(volume),
    open_interest: sidesRow(openInterest),
    premium: sidesRow(premium),
    volume_oi: rounded(ratio(volume.total, openInterest.total), 4),
    // uses all expiries regardless of the request: 30-day volatility is interpolated between two of them
    ...volatilityOf(toInteger, history),
    ...moveRow(chain),
    ...gammaRow(chain),
    unusual: unusualRow(chain, limit),
    most_active: active.slice(0, limit).map((one) => contractRow(one, now)),
    since: earlier === null ? null : sinceRow(ofExpiry(earlier, expiry), chain, limit),
    since_reason: earlier === null ? "No snapshot at least 10 minutes old is stored" : null,
    ...trades,
  };
}

const ofExpiry = (chain: OptionChain, expiry: string | undefined): OptionChain =>
  expiry === undefined
    ? chain
    : { ...chain, contracts: chain.contracts.filter((one) => one.expiry === expiry) };

function volatilityOf(chain: OptionChain, history: readonly FlowDay[]): Pick<OptionsFlow, "iv" | "skew"> {
  const smiles = smilesOf(chain);
  const [atm, put, call] = (["atm", "put", "call"] as const).map((which) => ivAt30Days(smiles, which)) as [
    number | null,
    number | null,
    number | null,
  ];
  const ranked = ivRank(atm, history);
  const difference = (one: number | null, other: number | null) =>
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
      put_less_atm: difference(put, atm),
      put_less_call: difference(put, call),
      reason: put === null || atm === null ? "No volatility of puts near delta -0.25 and 30 days" : null,
    },
  };
}

function unusualRow(chain: OptionChain, limit: number): OptionsFlow["unusual"] {
  const { contracts, underlying } = chain;
  const unknown = (figure: "volume" | "openInterest") =>
    contracts.length > 0 && contracts.every((one) => one[figure] === null);
  const reason =
    underlying.price === null
      ? NO_PRICE
      : unknown("openInterest")
        ? "The chain has no open interest"
        : unknown("volume")
          ? "The chain has no volume"
          : null;
  if (reason !== null) return { preset: UNUSUAL_DEFINITION, count: null, contracts: [], reason };
  const unusual = unusualIn(chain);
  const rows = unusual.slice(0, limit).map(({ contract }) => contractRow(contract, quoteTime(chain)));
  return { preset: UNUSUAL_DEFINITION, count: unusual.length, contracts: rows, reason };
}

function moveRow(chain: OptionChain): Pick<OptionsFlow, "expected_move" | "expected_move_reason"> {
  const move = expectedMove(chain);
  if (move === null) {
    const why =
      chain.contracts.length === 0
        ? "The chain has no contract of this expiry"
        : "No expiry at least 5 days away has a call and a put quoted at the money";
    return {
      expected_move: null,
      expected_move_reason: chain.underlying.price === null ? NO_PRICE : why,
    };
  }
  const cents = (value: number) => Number(value.toFixed(2));
  const { dollars, percent, low, high } = move;
  const figures = { dollars: cents(dollars), percent: cents(percent), low: cents(low), high: cents(high) };
  return { expected_move: { ...move, ...figures }, expected_move_reason: null };
}

function gammaRow(chain: OptionChain): Pick<OptionsFlow, "gamma" | "gamma_reason"> {
  const gamma = gammaExposure(chain);
  if (gamma === null) {
    const why = "No contract has both open interest and gamma or volatility";
    return { gamma: null, gamma_reason: chain.underlying.price === null ? NO_PRICE : why };
  }
  const largest = gamma.strikes
    .toSorted((a, b) => Math.abs(b.net) - Math.abs(a.net))
    .slice(0, MAX_STRIKES)
    .sort((a, b) => a.strike - b.strike);
  const toInteger = (value: number) => Math.round(value) + 0;
  const strikes = largest.map(({ strike, call, put, net }) => ({
    strike,
    call: toInteger(call),
    put: toInteger(put),
    net: toInteger(net),
  }));
  return { gamma: { net: toInteger(gamma.net), strikes, sign: SIGN }, gamma_reason: null };
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

/** No chain, with the reason; `unavailable`: its providers fail. */
export type ChainUnavailable = Pick<DataUnavailable, "reason"> & {
  readonly unavailable: DataUnavailable["unavailable"] | "unavailable";
};

const NO_SIDES = { call: null, put: null, total: null, put_call: null };

/** Returns the result without a chain: empty figures with the reason, and the tape's trades. */
export function emptyFlow(
  { unavailable, reason }: ChainUnavailable,
  tape: TapeResult,
  limit: number,
): OptionsFlow {
  const trades = tapeRows(tape, limit);
  return {
    coverage: { status: unavailable, reason },
    derived_from: trades.tape.status === "covered" ? "tape" : null,
    session: null,
    underlying: { price: null, traded_at: null },
    contracts: null,
    volume: NO_SIDES,
    open_interest: NO_SIDES,
    premium: NO_SIDES,
    volume_oi: null,
    iv: { atm_30d: null, rank: null, percentile: null, days: null, reason },
    skew: { put_25d: null, call_25d: null, put_less_atm: null, put_less_call: null, reason },
    expected_move: null,
    expected_move_reason: reason,
    gamma: null,
    gamma_reason: reason,
    since: null,
    since_reason: reason,
    unusual: { preset: UNUSUAL_DEFINITION, count: null, contracts: [], reason },
    most_active: [],
    ...trades,
  };
}
