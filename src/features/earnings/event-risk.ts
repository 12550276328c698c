import { eventRiskOf } from "../../analytics/earnings/event-risk.ts";
import type { EventRisk } from "../../domain/earnings/calendar.ts";
import type { NextAnswer } from "../../domain/earnings/earnings-port.ts";
import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { pastMoment } from "../signal/moment.ts";
import type { Picture, PictureRequest } from "../signal/picture.ts";
import { noReportsReason } from "./calendar.ts";

const DAY = 86_400_000;
/** Days ahead in which 20 sessions and a holiday lie for sure. */
const DAYS_AHEAD = 120;
/** Maximum wait for the earnings date once the picture is built, ms: the date is supplementary and must not delay a signal. */
const MAX_WAIT_MS = 1_200;

type Request = Pick<PictureRequest, "symbol" | "as_of" | "signal">;
type EventPorts = Pick<Ports, "symbols" | "earnings" | "marketDays" | "clock">;

/**
 * Starts to fetch the events ahead of a plan while its picture is built; the returned function awaits them. An earnings date
 * that is unavailable or late is null with a reason.
 */
export function startEventRisk(
  { symbol, as_of, signal }: Request,
  ports: EventPorts,
): (picture: Pick<Picture, "resolution" | "timeframe" | "series">) => Promise<EventRisk> {
  const now = ports.clock.now();
  const moment = () => (as_of === undefined ? undefined : pastMoment(as_of, now));
  const ask = async () => {
    const found = ports.symbols.find(symbol);
    return found && nextReport(found.instrument, { past: moment(), signal }, ports);
  };
  // failures are thrown after the picture is built: for a bad request the picture reports the cause itself
  const pending = ask().catch((failure: unknown) => ({ failure }));
  return async ({ resolution: { instrument }, timeframe, series }) => {
    // a late provider is not cancelled: its answer is cached for the next request
    const late = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
    const answer = await Promise.race([pending, timedOutOnAbort(late)]);
    signal.throwIfAborted();
    if (answer !== null && "failure" in answer) throw answer.failure;
    const at = moment() ?? now.getTime();
    const sessions = series.bars.zone !== "UTC";
    const today = sessions ? newYorkDate(at) : new Date(at).toISOString().slice(0, 10);
    const until = new Date(Date.parse(today) + DAYS_AHEAD * DAY).toISOString().slice(0, 10);
    return eventRiskOf({
      today,
      sessions,
      barMs: TIMEFRAME_MS[timeframe],
      days: ports.marketDays.between(today, until),
      earnings: answer?.next ?? null,
      reason: answer?.reason ?? null,
      reports: instrument.asset_class === "equity",
    });
  };
}

async function nextReport(
  instrument: Instrument,
  { past, signal }: { readonly past: number | undefined; readonly signal: AbortSignal },
  { earnings }: Pick<Ports, "earnings">,
): Promise<NextAnswer> {
  if (instrument.asset_class !== "equity") return { next: null, reason: noReportsReason(instrument) };
  try {
    return await earnings.next(instrument, { signal, ...(past !== undefined && { asOf: past }) });
  } catch (cause) {
    if (!(cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE")) throw cause;
    return { next: null, reason: cause.message };
  }
}

const TIMED_OUT: NextAnswer = { next: null, reason: "The source of earnings dates did not answer in time" };

/** `LATE` when a signal aborts: a source that goes on regardless is not waited for. */
const timedOutOnAbort = (signal: AbortSignal): Promise<NextAnswer> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(TIMED_OUT);
    else signal.addEventListener("abort", () => resolve(TIMED_OUT), { once: true });
  });
