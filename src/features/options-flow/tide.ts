import { quoteTime, sessionDateOf } from "../../analytics/flow/contract.ts";
import { ratio, sumsOf } from "../../analytics/flow/sums.ts";
import { type PutCallTrend, putCallTrend } from "../../analytics/flow/tide.ts";
import type { PutCallDay } from "../../domain/options-flow/options.ts";
import type { MarketTide, RatioTrend } from "../../domain/options-flow/tide.ts";
import type { DataUnavailable, Ports, PutCallsAnswer, TideAnswer } from "../../domain/ports.ts";
import { asToolError } from "../../kernel/errors.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";
import {
  pageWithin,
  type RangeRequest,
  refuseBoth,
  resolveRange,
  type TimeRange,
} from "../signal/time-range.ts";
import { rounded, sourceRow } from "./rows.ts";

/** Maximum number of days read, from which means, spreads and trends are computed. */
const DAYS = 252;
const MIN_DAYS = 60;
const DEFAULT_DAYS = 20;
const DAY_MS = 86_400_000;
/** Maximum delay of publication, days. */
const MAX_PUBLICATION_DAYS = 8;
const NO_DAY = "No day is published yet";
/** Funds whose options serve as an intraday proxy for the market. */
const PROXY_SYMBOLS = ["SPY", "QQQ", "IWM"] as const;
const MAX_PROXY_WAIT_MS = 8_000;

export type TidePorts = Pick<Ports, "putCalls" | "chains" | "flowTape" | "symbols" | "clock">;

export interface TideRequest extends RangeRequest {
  /** Number of days returned. Default: 20, or all 252 with `from`. */
  readonly days?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the direction of option flow: daily put/call ratios of the market, the chains of three funds as a proxy for
 * today, and net premium if a tape is connected. Rejects if the ratios fail; a failed proxy or tape is null with a
 * reason.
 */
export async function readMarketTide(
  { days: shown, signal, ...times }: TideRequest,
  { putCalls, flowTape, ...ports }: TidePorts,
): Promise<MarketTide & TimeRange["notes"] & { readonly next_cursor: string | null }> {
  refuseBoth({ days: shown, from: times.from }, "days", "from");
  const range = resolveRange(times, { now: ports.clock.now(), filters: [shown] });
  const until = range.asOf;
  const [answer, intraday, net] = await Promise.all([
    putCalls.days({ until, limit: DAYS, signal }),
    proxyOf(ports, signal),
    flowTape.tide({ signal }).catch(toFailure),
  ]);
  const days = "unavailable" in answer ? [] : answer.days;
  const listed = (await olderDays(times, range, signal, putCalls)) ?? days;
  const page = pageWithin(listed.toReversed(), range, {
    limit: shown ?? (times.from === undefined ? DEFAULT_DAYS : DAYS),
    timeOf: ({ day }) => Date.parse(day),
  });
  const newest = days.at(-1);
  const total = putCallTrend(days, "total");
  return {
    direction: total.direction,
    basis: total.direction === null ? null : "put/call ratio of all products: 5-day mean against 20-day mean",
    reason: noTrendReason(answer, total),
    put_call: {
      total: trendRow(answer, total),
      equity: trendRow(answer, putCallTrend(days, "equity")),
      etp: trendRow(answer, putCallTrend(days, "etp")),
      index: trendRow(answer, putCallTrend(days, "index")),
    },
    days: page.rows.map(dayRow),
    next_cursor: page.next,
    coverage:
      "unavailable" in answer
        ? { status: answer.unavailable, reason: answer.reason }
        : { status: "covered", reason: days.length === 0 ? NO_DAY : null },
    provenance:
      "unavailable" in answer || newest === undefined
        ? null
        : { ...sourceRow(answer), as_of: new Date(newest.at).toISOString(), delay_minutes: null },
    ...intraday,
    ...netRow(net),
    ...range.notes,
  };
}

/** Returns the days of a range that may end before the newest days; null without times. */
async function olderDays(
  times: RangeRequest,
  { pageEnd, asOf }: TimeRange,
  signal: AbortSignal,
  putCalls: Ports["putCalls"],
): Promise<readonly PutCallDay[] | null> {
  if (Object.values(times).every((time) => time === undefined)) return null;
  const until = Math.min(asOf, pageEnd + MAX_PUBLICATION_DAYS * DAY_MS);
  const answer = await putCalls.days({ until, limit: DAYS + MAX_PUBLICATION_DAYS, signal });
  return "unavailable" in answer ? null : answer.days;
}

function noTrendReason(
  answer: PutCallsAnswer | DataUnavailable,
  { days, trend }: PutCallTrend,
): string | null {
  if (trend !== null) return null;
  if ("unavailable" in answer) return answer.reason;
  if (days === 0) return answer.days.length === 0 ? NO_DAY : "The provider does not supply this ratio";
  if (days >= MIN_DAYS) return "The ratio has not changed";
  const { fetching } = answer;
  const more =
    fetching === undefined
      ? ""
      : `. Older days are fetched while a server is running, ${fetching.known} of ${fetching.of} so far: retry in a few minutes`;
  return `Needs ${MIN_DAYS} days of ratios; ${days} are known${more}`;
}

const trendRow = (answer: PutCallsAnswer | DataUnavailable, tide: PutCallTrend): RatioTrend => ({
  latest: tide.latest,
  mean_5: rounded(tide.mean5, 4),
  mean_20: rounded(tide.mean20, 4),
  strength: rounded(tide.strength, 2),
  trend: tide.trend,
  days: tide.days,
  reason: noTrendReason(answer, tide),
});

const dayRow = ({ day, total, equity, etp, index, callVolume, putVolume }: PutCallDay) => ({
  date: day,
  total,
  equity,
  etp,
  index,
  call_volume: callVolume,
  put_volume: putVolume,
});

/** Returns the total volumes of the funds' chains; null with a reason unless all chains are available. */
async function proxyOf(
  { chains, symbols }: Pick<TidePorts, "chains" | "symbols">,
  outer: AbortSignal,
): Promise<Pick<MarketTide, "intraday" | "intraday_reason">> {
  const funds = symbols.members().filter(({ symbol }) => PROXY_SYMBOLS.some((name) => name === symbol));
  const chainAnswers = await withTimeLimit(MAX_PROXY_WAIT_MS, outer, (signal) =>
    Promise.all(funds.map((fund) => chains.chain(fund, { signal }).catch(toFailure))),
  );
  const found = chainAnswers.flatMap((one) => ("chain" in one ? [one] : []));
  if (found.length < PROXY_SYMBOLS.length) {
    const [reason] = chainAnswers.flatMap((answer) => ("unavailable" in answer ? [answer.reason] : []));
    const few = `Needs the chains of ${PROXY_SYMBOLS.join(", ")}; ${found.length} of them are available`;
    return { intraday: null, intraday_reason: reason ?? few };
  }
  const { volume } = sumsOf(found.flatMap(({ chain }) => chain.contracts));
  const moments = found.map(({ chain }) => quoteTime(chain));
  return {
    intraday: {
      proxy: true,
      of: [...PROXY_SYMBOLS],
      session: found.map(({ chain }) => sessionDateOf(chain)).sort()[0]!,
      as_of: new Date(Math.min(...moments)).toISOString(),
      call_volume: volume.call,
      put_volume: volume.put,
      put_call: rounded(ratio(volume.put, volume.call), 4),
      provider: [...new Set(found.map(({ source }) => source))].join(", "),
    },
    intraday_reason: null,
  };
}

function netRow(
  net: TideAnswer | DataUnavailable | { readonly failed: string },
): Pick<MarketTide, "net_premium" | "net_premium_reason"> {
  const none = (net_premium_reason: string) => ({ net_premium: null, net_premium_reason });
  if ("failed" in net) return none(net.failed);
  if ("unavailable" in net) return none(net.reason);
  const last = net.ticks.at(-1);
  if (last === undefined) return none("The tape has no net premium for today");
  return {
    net_premium: {
      as_of: new Date(last.time).toISOString(),
      call: last.netCallPremium,
      put: last.netPutPremium,
      volume: last.netVolume,
      provider: net.source,
    },
    net_premium_reason: null,
  };
}

/** Converts the failure of a supplementary part to a reason; rethrows internal errors. */
function toFailure(cause: unknown): { readonly failed: string } {
  const error = asToolError(cause);
  if (cause instanceof DOMException) return { failed: "The provider did not respond in time" };
  if (error.code === "INTERNAL") throw cause;
  return { failed: error.message };
}
