import { eventRiskOf } from "../../analytics/earnings/event-risk.ts";
import { TIMEFRAME_MS } from "../../domain/bars.ts";
import type { EventRisk } from "../../domain/calendar.ts";
import type { Instrument } from "../../domain/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import type { NextAnswer } from "../../ports/earnings.ts";
import type { CallOptions, Ports } from "../../ports/index.ts";
import { pastMoment } from "../moment.ts";
import type { Picture, PictureRequest } from "../picture.ts";
import { noReports } from "./calendar.ts";

const DAY = 86_400_000;
/** Days ahead in which 20 sessions and a holiday lie for sure. */
const AHEAD = 120;
/** Longest wait for the date of earnings: a signal does not wait for what only stands beside it. */
const LONGEST_MS = 1_200;

type Request = Pick<PictureRequest, "symbol" | "as_of" | "signal">;
type EventPorts = Pick<Ports, "symbols" | "earnings" | "marketDays" | "clock">;

/**
 * Asks what lies ahead of a plan while its picture is made, and tells it once the picture is there. A date of earnings that
 * cannot be had, or not in time, is null with its reason.
 */
export function eventRiskBeside(
  { symbol, as_of, signal }: Request,
  ports: EventPorts,
): (picture: Pick<Picture, "resolution" | "timeframe" | "series">) => Promise<EventRisk> {
  const now = ports.clock.now();
  const asOf = async () => (as_of === undefined ? undefined : pastMoment(as_of, now));
  // whatever goes wrong is told when the picture is there: of a bad request the picture itself says what is wrong
  const asked = asOf()
    .then(async (past) => {
      const instrument = ports.symbols.find(symbol)?.instrument;
      const answer = instrument && (await nextReport(instrument, { past, signal }, ports));
      return { at: past ?? now.getTime(), answer };
    })
    .catch((failure: unknown) => ({ failure }));
  return async ({ resolution: { instrument }, timeframe, series }) => {
    const outcome = await asked;
    if ("failure" in outcome) throw outcome.failure;
    const { at, answer } = outcome;
    const sessions = series.bars.zone !== "UTC";
    const today = sessions ? newYorkDate(at) : new Date(at).toISOString().slice(0, 10);
    const until = new Date(Date.parse(today) + AHEAD * DAY).toISOString().slice(0, 10);
    return eventRiskOf({
      ...{ today, sessions, barMs: TIMEFRAME_MS[timeframe] },
      days: ports.marketDays.between(today, until),
      earnings: answer?.next ?? null,
      reason: answer?.reason ?? null,
      reports: instrument.asset_class === "equity",
    });
  };
}

async function nextReport(
  instrument: Instrument,
  { past, signal }: CallOptions & { readonly past: number | undefined },
  { earnings }: Pick<Ports, "earnings">,
): Promise<NextAnswer> {
  if (instrument.asset_class !== "equity") return { next: null, reason: noReports(instrument) };
  const patience = AbortSignal.timeout(LONGEST_MS);
  const waiting = signal === undefined ? patience : AbortSignal.any([signal, patience]);
  try {
    const asked = earnings.next(instrument, {
      signal: waiting,
      ...(past !== undefined && { asOf: past }),
    });
    return await Promise.race([asked, endOf(waiting)]);
  } catch (cause) {
    signal?.throwIfAborted();
    if (patience.aborted)
      return { next: null, reason: "The source of earnings dates did not answer in time" };
    if (!(cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE")) throw cause;
    return { next: null, reason: cause.message };
  }
}

/** Rejects when a signal aborts: a source that goes on regardless is not waited for. */
const endOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
