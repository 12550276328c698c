import { ODDS_VERSION } from "../../analytics/odds/odds.ts";
import { callOutcome } from "../../analytics/track/call-outcome.ts";
import type { Ports } from "../../domain/ports.ts";
import type { CallRepository, CallResult, DueCall } from "../../domain/track-record/calls-port.ts";
import { barHours } from "../signal/bar-hours.ts";
import { checkRecordFold } from "../track-record/check-record.ts";
import { forEachSeries, type ScoringRequest } from "./scoring.ts";

/** Age in ms at which a call whose bars never arrived gets the result `unknown`. */
const MAX_WAIT_MS = 30 * 86_400_000;

interface SettlingPorts extends Pick<Ports, "symbols" | "bars" | "log" | "clock"> {
  readonly calls: CallRepository;
}

/** Stores the results of checked orders and claims whose bars now exist, and publishes the record of the orders. */
export async function settleCalls(
  request: ScoringRequest,
  { calls, clock, ...ports }: SettlingPorts,
): Promise<void> {
  const due = (await calls.due(request.now)).map((call) => ({ ...call, timeframe: "1d" as const }));
  const results = new Map<string, Settled>();
  await forEachSeries(
    due,
    async (group, { series, closes }) => {
      const hours = barHours(series);
      if (hours === null) return;
      const { bars } = series;
      const timed = { bars, closes, opens: bars.time.map(hours.opensAt) };
      for (const call of group) {
        const result = callOutcome(timed, {
          recordedAt: Date.parse(call.recorded_at),
          until: Date.parse(call.until),
          decidedAt: Date.parse(call.decided_at),
          close: call.close,
          plan: call.plan,
        });
        if (result !== null) results.set(call.id, { ...call, result });
      }
    },
    request,
    ports,
  );
  const late = due.filter(
    ({ id, until }) => !results.has(id) && request.now - Date.parse(until) > MAX_WAIT_MS,
  );
  const settled = [...results.values(), ...late.map((call): Settled => ({ ...call, result: "unknown" }))];
  if (settled.length === 0 || (await calls.settle(settled)) === 0) return;
  const fold = checkRecordFold(ODDS_VERSION);
  for await (const page of calls.settledChecks()) fold.add(page);
  const record = fold.result(clock.now().toISOString());
  if (record !== null) await calls.publishChecks(record);
}

type Settled = Pick<DueCall, "table" | "id"> & { readonly result: CallResult };
