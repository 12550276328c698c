import { daysUntil, midPrice, quoteTime, sessionDateOf } from "../../analytics/flow/contract.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { ChainContract, OptionChainPage } from "../../domain/options-flow/chain.ts";
import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import type { DataUnavailable, OptionChainAnswer, Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { expiriesOf, unknownExpiryNote } from "./expiries.ts";
import { NO_OPTIONS } from "./flow.ts";
import { provenanceOf, rounded } from "./rows.ts";
import {
  type ContractFilters,
  compareContracts,
  type PricedContract,
  selectContracts,
} from "./select-contracts.ts";

export interface ChainRequest {
  readonly filters: ContractFilters;
  readonly limit: number;
  /** Symbol of the last contract of the previous page. */
  readonly cursor?: string | undefined;
  readonly signal: AbortSignal;
}
export type ChainPage = OptionChainPage & { readonly notes: readonly string[] };

const NO_VOLATILITY = "No volatility of these contracts is known";
const NOT_KNOWN = "Not known for these contracts";
/** Fields that may be null although the provider supplies them for other contracts, and why. */
const REASONS = {
  bid: "No bid",
  ask: "No ask",
  mid: "No valid bid and ask",
  last: "No trade is known",
  volume: NOT_KNOWN,
  open_interest: NOT_KNOWN,
  iv: NO_VOLATILITY,
  delta: NO_VOLATILITY,
  gamma: NO_VOLATILITY,
  theta: NO_VOLATILITY,
  vega: NO_VOLATILITY,
} as const satisfies Partial<Record<keyof ChainContract, string>>;
type ChainFigure = keyof typeof REASONS;
const FIGURES = Object.keys(REASONS) as ChainFigure[];
/** The field of a provider's contract that each figure is read from. */
const SUPPLIED = {
  bid: "bid",
  ask: "ask",
  mid: "bid",
  last: "last",
  volume: "volume",
  open_interest: "openInterest",
  iv: "iv",
  delta: "delta",
  gamma: "gamma",
  theta: "theta",
  vega: "vega",
} as const satisfies Record<ChainFigure, keyof OptionContract>;

/**
 * Reads one page of the option chain of a symbol; without a chain, the page is empty and `coverage` gives the reason.
 * Rejects if the chain fails, and with INVALID_INPUT for a cursor that names no contract of the chain.
 */
export async function readChainPage(
  instrument: Instrument,
  { filters, limit, cursor, signal }: ChainRequest,
  { chains, clock }: Pick<Ports, "chains" | "clock">,
): Promise<ChainPage> {
  if (instrument.asset_class === "crypto") return emptyPage(NO_OPTIONS);
  const chainAnswer = await chains.chain(instrument, { signal });
  if ("unavailable" in chainAnswer) return emptyPage(chainAnswer);
  const { chain } = chainAnswer;
  const expiries = expiriesOf(chain);
  const selected = selectContracts(chain, expiries, filters, clock.now().getTime());
  const start = cursor === undefined ? 0 : startAfter(cursor, chain, selected);
  const page = selected.slice(start, start + limit);
  const time = quoteTime(chain);
  const contracts = page.map((one) => chainRow(one, time));
  return {
    coverage: { status: "covered", reason: null },
    as_of: new Date(time).toISOString(),
    delay_minutes: chain.delayMinutes,
    session: chain.contracts.length === 0 ? null : sessionDateOf(chain),
    underlying: { price: rounded(chain.underlying.price, 4), traded_at: chain.underlying.tradedAt },
    expiries: [...expiries],
    contracts,
    total: selected.length,
    next_cursor: start + limit < selected.length ? page.at(-1)!.symbol : null,
    missing: missingIn(contracts, chain),
    provenance: provenanceOf(chainAnswer),
    notes: notesOn(instrument, chainAnswer, { expiries, filters, count: selected.length }),
  };
}

const emptyPage = ({ unavailable, reason }: DataUnavailable): ChainPage => ({
  coverage: { status: unavailable, reason },
  as_of: null,
  delay_minutes: null,
  session: null,
  underlying: { price: null, traded_at: null },
  expiries: [],
  contracts: [],
  total: null,
  next_cursor: null,
  missing: [],
  provenance: null,
  notes: [],
});

function startAfter(cursor: string, chain: OptionChain, selected: readonly PricedContract[]): number {
  const last = chain.contracts.find(({ symbol }) => symbol === cursor);
  if (last === undefined)
    throw new ToolError("INVALID_INPUT", "The cursor names no contract of this chain", {
      hint: "Pass next_cursor of the previous page unchanged, or omit it for the first page.",
      data: { errors: [{ pointer: "/cursor", detail: "names no contract of this chain" }] },
    });
  const next = selected.findIndex((one) => compareContracts(one, last) > 0);
  return next === -1 ? selected.length : next;
}

const chainRow = (contract: PricedContract, time: number): ChainContract => ({
  contract: contract.symbol,
  expiry: contract.expiry,
  days: daysUntil(contract.expiry, time),
  type: contract.type,
  strike: contract.strike,
  bid: rounded(contract.bid, 4),
  ask: rounded(contract.ask, 4),
  mid: rounded(midPrice(contract), 4),
  last: rounded(contract.last, 4),
  last_traded_at: contract.lastTradedAt,
  volume: contract.volume,
  open_interest: contract.openInterest,
  iv: rounded(contract.iv, 4),
  delta: rounded(contract.delta, 4),
  gamma: rounded(contract.gamma, 6),
  theta: rounded(contract.theta, 4),
  vega: rounded(contract.vega, 4),
  greeks: contract.greeks,
});

/** Returns the fields that are null in some rows, with the reason. */
function missingIn(rows: readonly ChainContract[], chain: OptionChain): OptionChainPage["missing"] {
  return FIGURES.flatMap((field) => {
    const contracts = rows.filter((row) => row[field] === null).length;
    return contracts === 0 ? [] : [{ field, contracts, reason: reasonOf(field, chain) }];
  });
}

function reasonOf(field: ChainFigure, { contracts, source, underlying }: OptionChain): string {
  const name = SUPPLIED[field];
  if (contracts.some((one) => one[name] !== null)) return REASONS[field];
  const lacks = `${source} supplies no ${field === "mid" ? "quotes" : field.replace("_", " ")}`;
  if (REASONS[field] !== NO_VOLATILITY || field === "iv") return lacks;
  return `${lacks}, and no ${underlying.price === null ? "price of the underlying" : "volatility"} to compute it from`;
}

function notesOn(
  { symbol }: Instrument,
  { chain, stale }: OptionChainAnswer,
  {
    expiries,
    filters,
    count,
  }: { readonly expiries: readonly string[]; readonly filters: ContractFilters; readonly count: number },
): readonly string[] {
  const { expiry } = filters;
  const isDate = expiry !== "nearest" && expiry !== "all";
  return [
    ...(stale ? ["No provider responds; this is the last known chain"] : []),
    ...(chain.until === undefined ? [] : [`The provider covers expiries only until ${chain.until}`]),
    ...(expiries.length === 0 ? [`No options on ${symbol} are listed`] : []),
    ...(isDate && expiries.length > 0 && !expiries.includes(expiry)
      ? [unknownExpiryNote(symbol, expiries, expiry)]
      : count === 0 && expiries.length > 0
        ? ["No contract passes the filters: widen them, or pass expiry all"]
        : []),
    ...(chain.underlying.price === null && (filters.strikes !== undefined || filters.moneyness !== undefined)
      ? ["The chain has no price of the underlying: strikes around the money are unknown"]
      : []),
  ];
}
