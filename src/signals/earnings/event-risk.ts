import { eventRiskOf } from "../../analytics/earnings/event-risk.ts";
import { type SessionZone, TIMEFRAME_MS, type Timeframe } from "../../domain/bars.ts";
import type { EventRisk } from "../../domain/calendar.ts";
import type { ScheduledReport } from "../../domain/earnings.ts";
import type { Instrument } from "../../domain/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import type { CallOptions, Ports } from "../../ports/index.ts";

const DAY = 86_400_000;
/** Days ahead in which 20 sessions and a holiday lie for sure. */
const AHEAD = 120;
/** Longest wait for the date of earnings: a signal does not wait for what only stands beside it. */
const LONGEST_MS = 1_200;

interface Question extends CallOptions {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  /** Zone of its bars: UTC trades around the clock. */
  readonly zone: SessionZone;
  /** Epoch ms. */
  readonly at: number;
}

/** What lies ahead of a plan made at a moment; an outage leaves the date of earnings null with its reason. */
export async function eventRisk(
  { instrument, timeframe, zone, at, signal }: Question,
  { earnings, marketDays }: Pick<Ports, "earnings" | "marketDays">,
): Promise<EventRisk> {
  const today = zone === "UTC" ? new Date(at).toISOString().slice(0, 10) : newYorkDate(at);
  const until = new Date(Date.parse(today) + AHEAD * DAY).toISOString().slice(0, 10);
  const company = instrument.asset_class === "equity";
  const { next, reason } = company
    ? await nextReport(instrument, { at, ...(signal && { signal }) }, { earnings })
    : { next: null, reason: `${instrument.symbol} is no company and reports no earnings` };
  return eventRiskOf({
    today,
    barMs: TIMEFRAME_MS[timeframe],
    sessions: zone !== "UTC",
    days: marketDays.between(today, until),
    earnings: next,
    reason,
    reports: company,
  });
}

async function nextReport(
  instrument: Instrument,
  { at, signal }: { readonly at: number; readonly signal?: AbortSignal },
  { earnings }: Pick<Ports, "earnings">,
): Promise<{ readonly next: ScheduledReport | null; readonly reason: string | null }> {
  const patience = AbortSignal.timeout(LONGEST_MS);
  try {
    const waiting = signal === undefined ? patience : AbortSignal.any([signal, patience]);
    const { next, coverage } = await earnings.reports(instrument, { asOf: at, signal: waiting });
    return { next, reason: coverage[0] ?? null };
  } catch (cause) {
    signal?.throwIfAborted();
    if (patience.aborted)
      return { next: null, reason: "The source of earnings dates did not answer in time" };
    if (!(cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE")) throw cause;
    return { next: null, reason: cause.message };
  }
}
