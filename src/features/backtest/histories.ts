import { isMember } from "../../analytics/backtest/members.ts";
import { type BacktestTimeframe, hasDateLabel } from "../../domain/market/bars.ts";
import type { Dividend } from "../../domain/market/corporate-actions.ts";
import type { BarSeries, Instrument, Resolution } from "../../domain/market/market.ts";
import type { MemberList, Membership } from "../../domain/market/memberships.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { missingDataError } from "../signal/missing-data.ts";

/** Maximum bars read per symbol: about 25 years of daily bars, or a typical intraday history. */
export const MAX_BARS = { daily: 6_500, intraday: 20_000 } as const;
/** Maximum number of symbols of a traded list. */
const MAX_MEMBERS = 300;
/** Maximum number of series read concurrently. */
const MAX_CONCURRENT = 4;

interface HistoriesRequest {
  /** As the caller wrote them. */
  readonly symbols: readonly string[];
  readonly list?: MemberList | undefined;
  readonly timeframe: BacktestTimeframe;
  /** Start of trading and latest time of the data, epoch ms. Default: all bars. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly signal: AbortSignal;
}

/** The bars of a symbol up to the end of the run. */
export interface SymbolHistory {
  readonly instrument: Instrument;
  readonly series: BarSeries & { readonly as_of: string };
  /** Cash dividends of the prices. Default: not known. */
  readonly dividends?: readonly Dividend[] | null;
  /** Dates as a member of the traded list. Default: no list is traded. */
  readonly memberships?: readonly Membership[];
}

export interface SymbolHistories {
  readonly read: readonly SymbolHistory[];
  /** Names of instruments that an earlier name already requested. */
  readonly repeated: readonly string[];
  /** Members of the list in the period that have no bars in it. Default: no list is traded. */
  readonly unread?: readonly string[];
  readonly alternatives: Resolution["alternatives"];
}

/**
 * Reads the closed bars of every symbol from the earliest possible time, so that strategies warm up before `from`.
 * @throws ToolError UNKNOWN_SYMBOL, or NOT_ENOUGH_DATA when a symbol has no bars in the period
 */
export async function readHistories(
  request: HistoriesRequest,
  ports: Pick<Ports, "symbols" | "bars">,
): Promise<SymbolHistories> {
  const { symbols, list } = request;
  if (list !== undefined) return readMembers({ ...request, list }, ports);
  const found = new Map<string, Resolution>();
  const repeated: string[] = [];
  for (const name of symbols) {
    const resolution = ports.symbols.resolve(name);
    const { symbol } = resolution.instrument;
    if (found.has(symbol)) repeated.push(name);
    else found.set(symbol, resolution);
  }
  const instruments = [...found.values()].map(({ instrument }) => instrument);
  const read = await readAll(instruments, request, ports);
  const absent = read.indexOf(null);
  if (absent >= 0) throw await noBarsInRange(instruments[absent]!, request, ports);
  return {
    read: read.filter((one) => one !== null),
    repeated,
    alternatives: [...found.values()].flatMap(({ alternatives }) => alternatives),
  };
}

/** Reads the bars of instruments in the period; null for one without any. */
async function readAll(
  instruments: readonly Instrument[],
  { timeframe, from, to, signal }: HistoriesRequest,
  ports: Pick<Ports, "bars">,
): Promise<readonly (SymbolHistory | null)[]> {
  const read: (SymbolHistory | null)[] = [];
  await forEachConcurrent(MAX_CONCURRENT, instruments.entries(), async ([place, instrument]) => {
    const series = await ports.bars.history(instrument, {
      timeframe,
      limit: hasDateLabel(timeframe) ? MAX_BARS.daily : MAX_BARS.intraday,
      signal,
      ...(to !== undefined && { asOf: to }),
    });
    const last = series.bars.time.at(-1);
    const isAbsent = last === undefined || series.as_of === null || (from !== undefined && last < from);
    read[place] = isAbsent ? null : { instrument, series: { ...series, as_of: series.as_of! } };
  });
  return read;
}

/**
 * Reads the bars of all symbols that were members of a list in the period, delisted ones included.
 * @throws ToolError INVALID_INPUT for too many of them, or NOT_ENOUGH_DATA if none has bars
 */
async function readMembers(
  request: HistoriesRequest & { readonly list: MemberList },
  ports: Pick<Ports, "symbols" | "bars">,
): Promise<SymbolHistories> {
  const { list, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = request;
  const members = [...list.members].filter(([, dates]) =>
    dates.some((date) => date.from <= to && date.to >= from),
  );
  const known = new Map(ports.symbols.members().map((one) => [one.symbol, one]));
  const instruments = members.flatMap(([symbol]) => known.get(symbol) ?? []);
  if (instruments.length > MAX_MEMBERS)
    throw new ToolError(
      "INVALID_INPUT",
      `${list.name} has ${instruments.length} members with bars in this period; at most ${MAX_MEMBERS} can be traded together`,
      { hint: "Set a later from or an earlier to, or test a smaller list." },
    );
  const read = (await readAll(instruments, request, ports)).flatMap((one) => {
    const memberships = one === null ? [] : list.members.get(one.instrument.symbol)!;
    return one?.series.bars.time.some((at) => isMember(memberships, at)) ? [{ ...one, memberships }] : [];
  });
  if (read.length === 0)
    throw new ToolError("NOT_ENOUGH_DATA", `No member of ${list.name} has bars in the requested period`, {
      hint: "Add files with the bars of its members, or choose another period.",
    });
  const names = new Set(read.map(({ instrument }) => instrument.symbol));
  const unread = members.map(([symbol]) => symbol).filter((symbol) => !names.has(symbol));
  return { read, repeated: [], unread, alternatives: [] };
}

async function noBarsInRange(
  instrument: Instrument,
  { timeframe, signal }: HistoriesRequest,
  { symbols, bars }: Pick<Ports, "symbols" | "bars">,
): Promise<ToolError> {
  const { symbol } = instrument;
  const absent = missingDataError(symbols, instrument);
  if (absent !== null)
    return new ToolError("NOT_ENOUGH_DATA", absent.message, {
      hint: absent.hint,
      data: { symbol, available: 0 },
    });
  const { time } = (await bars.history(instrument, { timeframe, limit: MAX_BARS.daily, signal })).bars;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const has = time.length === 0 ? "none" : `bars from ${day(time[0]!)} to ${day(time[time.length - 1]!)}`;
  return new ToolError(
    "NOT_ENOUGH_DATA",
    `${symbol} has no ${timeframe} bars in the requested period; available: ${has}`,
    {
      hint: time.length === 0 ? "Request another timeframe or symbol." : "Choose from and to in that range.",
      data: { symbol, available: time.length },
    },
  );
}
