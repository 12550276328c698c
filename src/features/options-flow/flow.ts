import { sessionDateOf } from "../../analytics/flow/contract.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { FlowProvenance, OptionsFlow } from "../../domain/options-flow/flow.ts";
import type { DataUnavailable, Ports } from "../../domain/ports.ts";
import { newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";
import { timeFor, withTimeLimit } from "../../lib/time-limit.ts";
import { previousSessionDay, sessionOn } from "../../market/calendar/calendar.ts";
import { optionalAnswer } from "../signal/optional-answer.ts";
import { expiriesOf } from "./expiries.ts";
import { flowDayOf, isComplete } from "./flow-day.ts";
import { provenanceOf } from "./rows.ts";
import { type ChainUnavailable, emptyFlow, type FlowSelection, summarizeFlow } from "./summarize-flow.ts";
import { isCovered, type TapeResult } from "./tape-rows.ts";

const DAY = 86_400_000;
const YEAR = 252;
/** Maximum wait for a tape, ms; after that, the chain is returned without it. */
const MAX_TAPE_WAIT_MS = 6_000;
const TAPE_TIMED_OUT = "The tape did not respond in time: retry in a moment";
export const NO_OPTIONS: DataUnavailable = {
  unavailable: "not_covered",
  reason: "Options are read only for US stocks and funds",
};

export interface FlowRequest extends FlowSelection {
  readonly signal: AbortSignal;
}
export type FlowPorts = Pick<Ports, "chains" | "flowTape" | "flowDays" | "clock">;

export interface FlowAnswer {
  readonly flow: OptionsFlow;
  readonly provenance: FlowProvenance | null;
  /** Last expiry in the provider's chain if it omitted later ones; else null. */
  readonly until: string | null;
  /** Expiries of the chain's contracts, `YYYY-MM-DD`, ascending. */
  readonly expiries: readonly string[];
}

/**
 * Reads the current options flow of one symbol, with the tape of the same session as the chain's volumes, and stores the
 * chain's daily figures. A failed tape is reported with a reason and affects nothing else. If the chain fails, the
 * answer is the tape of the newest session, and null with a reason for what needs a chain; without a tape it rejects.
 */
export async function readFlow(
  instrument: Instrument,
  request: FlowRequest,
  { chains, flowTape, flowDays, clock }: FlowPorts,
): Promise<FlowAnswer> {
  const now = clock.now().getTime();
  const { signal, limit } = request;
  const tapeSince = async (from: number): Promise<TapeResult> => {
    const { answer, unavailableReason } = await withTimeLimit(
      timeFor(clock, MAX_TAPE_WAIT_MS),
      signal,
      (limited) =>
        optionalAnswer(() => flowTape.trades(instrument, { from, until: now, signal: limited })).catch(
          (cause: unknown) => {
            if (signal.aborted || !limited.aborted) throw cause;
            return { answer: null, unavailableReason: TAPE_TIMED_OUT };
          },
        ),
    );
    return { tape: answer ?? { failed: unavailableReason! }, from };
  };
  const without = (unavailable: ChainUnavailable, tape: TapeResult): FlowAnswer => ({
    flow: emptyFlow(unavailable, tape, limit),
    provenance: null,
    until: null,
    expiries: [],
  });
  if (instrument.asset_class === "crypto") return without(NO_OPTIONS, { tape: NO_OPTIONS, from: now });
  const { answer: chainAnswer, failure } = await optionalAnswer(() => chains.chain(instrument, { signal }));
  if (chainAnswer === null) {
    const tape = await tapeSince(startOf(newestSession(now)));
    if (!isCovered(tape)) throw failure;
    return without({ unavailable: "unavailable", reason: failure!.message }, tape);
  }
  if ("unavailable" in chainAnswer) return without(chainAnswer, await tapeSince(startOf(newestSession(now))));
  const { chain } = chainAnswer;
  const tape = await tapeSince(startOf(sessionDateOf(chain)));
  if (chain.contracts.length === 0) {
    const reason = `No options on ${instrument.symbol} are listed`;
    return {
      ...without({ unavailable: "not_covered", reason }, tape),
      provenance: provenanceOf(chainAnswer),
    };
  }
  if (isComplete(chainAnswer)) await flowDays.save(instrument.symbol, flowDayOf(chain, now));
  const history = await flowDays.days(instrument.symbol, { until: now, limit: YEAR });
  return {
    flow: summarizeFlow(chainAnswer, history, tape, request),
    provenance: provenanceOf(chainAnswer),
    until: chain.until ?? null,
    expiries: expiriesOf(chain),
  };
}

/** Returns the date of the newest session that has begun, `YYYY-MM-DD`. */
function newestSession(now: number): string {
  const today = newYorkDay(now);
  const hasBegun = (sessionOn(today)?.open ?? Number.POSITIVE_INFINITY) <= now;
  const day = hasBegun ? today : (previousSessionDay(today) ?? today);
  return new Date(day).toISOString().slice(0, 10);
}

/** Returns midnight in New York at the start of a date, epoch ms. */
function startOf(date: string): number {
  const noon = Date.parse(`${date}T12:00:00Z`);
  return noon - DAY / 2 - newYorkOffsetMs(noon);
}
