import { ODDS_VERSION } from "../../analytics/odds/odds.ts";
import { splitFault } from "../../analytics/score/split-fault.ts";
import { barsOfCall, callOutcome, type TimedBars } from "../../analytics/track/call-outcome.ts";
import { sliceBars } from "../../domain/market/bars.ts";
import type { Ports } from "../../domain/ports.ts";
import type { CallRepository, CallResult, DueCall } from "../../domain/track-record/calls-port.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { checkRecordFold } from "../track-record/check-record.ts";
import { forEachSeries, type ScoringRequest, seriesOf } from "./due-series.ts";

/** Time in ms after the end of a call from which it is settled by the bars that exist. */
const MAX_WAIT_MS = 30 * 86_400_000;
/** Time in ms after the end of a call from which it is `unknown`; its series is no longer read. */
const MAX_UNREAD_MS = 90 * 86_400_000;

interface SettlingPorts extends Pick<Ports, "symbols" | "bars" | "log" | "clock"> {
  readonly calls: CallRepository;
}

/** Stores the results of checked orders and claims whose bars now exist, and publishes the record of the orders. */
export async function settleCalls(
  request: ScoringRequest,
  { calls, clock, ...ports }: SettlingPorts,
): Promise<void> {
  const due = (await calls.due(request.now)).map((call) => ({ ...call, timeframe: "1d" as const }));
  const waitOf = ({ until }: DueCall) => request.now - Date.parse(until);
  const settled: Settled[] = due
    .filter((call) => waitOf(call) > MAX_UNREAD_MS)
    .map((call) => ({ ...call, result: "unknown" }));
  await forEachSeries(
    seriesOf(
      due.filter((call) => waitOf(call) <= MAX_UNREAD_MS),
      request,
    ),
    async ({ due: ofSeries }, { series: { bars }, opens, closes }) => {
      const timed = { bars, opens, closes };
      for (const call of ofSeries) {
        const isFinal = waitOf(call) > MAX_WAIT_MS;
        const result = resultOf(call, timed, isFinal) ?? (isFinal ? ("unknown" as const) : null);
        if (result !== null) settled.push({ ...call, result });
      }
      await yieldToEventLoop();
    },
    request,
    ports,
  );
  if (settled.length === 0 || (await calls.settle(settled)) === 0) return;
  const fold = checkRecordFold(ODDS_VERSION);
  for await (const page of calls.settledChecks()) fold.add(page);
  const record = fold.result(clock.now().toISOString());
  if (record !== null) await calls.publishChecks(record);
}

type Settled = Pick<DueCall, "table" | "id"> & { readonly result: CallResult };

/** Returns the outcome of a call by these bars; null if they do not decide it, and across an unadjusted split. */
function resultOf(call: DueCall, timed: TimedBars, isFinal: boolean): CallResult | null {
  const past = {
    recordedAt: Date.parse(call.recorded_at),
    until: Date.parse(call.until),
    decidedAt: Date.parse(call.decided_at),
    close: call.close,
    plan: call.plan,
  };
  const { last } = barsOfCall(timed, past);
  const window = sliceBars(timed.bars, Math.max(0, timed.closes.indexOf(past.decidedAt)), last + 1);
  return splitFault(window) === null ? callOutcome(timed, past, { isFinal }) : null;
}
