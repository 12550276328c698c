import { eventRiskOf } from "../../analytics/earnings/event-risk.ts";
import type { EventRisk } from "../../domain/earnings/calendar.ts";
import type { NextAnswer } from "../../domain/earnings/earnings-port.ts";
import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { Ports } from "../../domain/ports.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { parsePastTime } from "../signal/past-time.ts";
import type { Picture, PictureRequest } from "../signal/picture.ts";
import { nextReport } from "./calendar.ts";

/** Number of calendar days that always contain 20 sessions and a holiday. */
const DAYS_AHEAD = 120;
/**
 * Maximum wait for the earnings date once the picture is built, ms: the date is supplementary and must not delay a
 * signal.
 */
const MAX_WAIT_MS = 1_200;

/**
 * Starts to fetch the events ahead of a plan while its picture is built; the returned function awaits them. An earnings
 * date that is unavailable or late is null with a reason.
 */
export function startEventRisk(
  { symbol, as_of, signal }: Pick<PictureRequest, "symbol" | "as_of" | "signal">,
  ports: Pick<Ports, "symbols" | "earnings" | "marketDays" | "clock">,
): (picture: Pick<Picture, "resolution" | "timeframe" | "series">) => Promise<EventRisk> {
  const now = ports.clock.now();
  const moment = () => (as_of === undefined ? undefined : parsePastTime(as_of, now));
  const findReport = async () => {
    const found = ports.symbols.find(symbol);
    return found && nextReport(found.instrument, { past: moment(), signal }, ports);
  };
  // failures are thrown only after the picture is built, which reports the cause of an invalid request itself
  const pending = findReport().catch((failure: unknown) => ({ failure }));
  return async ({ resolution: { instrument }, timeframe, series }) => {
    // a late provider is not cancelled: its response is cached for the next request
    const answer = await withinTimeLimit(pending, signal);
    signal.throwIfAborted();
    if (answer !== null && "failure" in answer) throw answer.failure;
    const at = moment() ?? now.getTime();
    const sessions = series.bars.zone !== "UTC";
    const today = sessions ? newYorkDate(at) : new Date(at).toISOString().slice(0, 10);
    return eventRiskOf({
      today,
      sessions,
      barMs: TIMEFRAME_MS[timeframe],
      days: ports.marketDays.between(today, dayAfter(today, DAYS_AHEAD)),
      earnings: answer?.next ?? null,
      reason: answer?.reason ?? null,
      reports: instrument.asset_class === "equity",
    });
  };
}

const TIMED_OUT: NextAnswer = {
  next: null,
  reason: "The provider of earnings dates did not respond in time",
};

/** Resolves with `TIMED_OUT` when the promise is pending after MAX_WAIT_MS or when the signal aborts. */
function withinTimeLimit<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | NextAnswer> {
  return new Promise((resolve, reject) => {
    const expire = () => resolve(TIMED_OUT);
    const timer = setTimeout(expire, MAX_WAIT_MS);
    signal.addEventListener("abort", expire, { once: true });
    if (signal.aborted) expire();
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", expire);
    });
  });
}
