import { named } from "../../domain/answers.ts";
import type { EventRisk } from "../../domain/earnings/calendar.ts";
import type { ProvenanceDetail } from "../../domain/market/provenance.ts";
import type { EngineResult, Ports } from "../../domain/ports.ts";
import type { SignalData } from "../../domain/signal/signal-data.ts";
import type { PageSignal } from "../../domain/signal/symbol-page.ts";
import type { Immutable } from "../../kernel/tool.ts";
import { barNotes } from "./bar-notes.ts";
import { conflictFields } from "./conflict-fields.ts";
import { evidenceOf } from "./evidence.ts";
import { servedSignal } from "./logged.ts";
import { agedBars, lateBarNotes, otherFileNotes, staleBarNotes, withStaleNotes } from "./notes.ts";
import { provenanceFields } from "./origins.ts";
import type { PricedPicture } from "./price.ts";
import { driverRows, planLevels, reasonsFor, signalBlock } from "./signal-block.ts";
import { inputsSince } from "./signal-inputs.ts";
import { conciseWyckoff } from "./structure.ts";

interface ServedRequest {
  /** True for a past time, at which today's record was not known. */
  readonly past: boolean;
  /** True adds the inputs, all driver values, targets in R and names of Wyckoff events. */
  readonly full: boolean;
  readonly provenance: ProvenanceDetail;
  readonly event_risk: EventRisk;
  /** Result of the newest nightly run; null without a recent one. */
  readonly engine: EngineResult | null;
}
type ServedPorts = Pick<Ports, "clock" | "market" | "signalLog" | "trackRecord">;

/** Returns a signal for a concise page: without structure and provenance. */
export const conciseSignal = ({
  wyckoff: _,
  elliott: __,
  provenance: ___,
  ...data
}: Immutable<SignalData>): Immutable<PageSignal> => data;

/** Logs the signal of a picture and returns it with its structure, price, inputs and notes. */
export async function serveSignal(
  picture: PricedPicture,
  { past, full, provenance, event_risk, engine }: ServedRequest,
  { clock, market, signalLog, trackRecord }: ServedPorts,
): Promise<Immutable<SignalData>> {
  const { instrument, alternatives } = picture.resolution;
  const evidence = await evidenceOf({ ...picture, instrument, past }, { trackRecord });
  signalLog.record(servedSignal(picture));
  const { inputs, notes: inputNotes } = await inputsSince(picture, signalLog, { past });
  const now = clock.now();
  const conflicts = conflictFields(picture, { price: picture.price.value, risk: event_risk });
  return {
    signal: { ...signalBlock(picture, evidence), ...conflicts },
    wyckoff: full ? picture.structure.wyckoff : conciseWyckoff(picture.structure.wyckoff),
    elliott: picture.structure.elliott,
    event_risk,
    ...provenanceFields(picture, { market, now, detail: provenance }),
    engine_available: engine !== null,
    ...(engine !== null && { engine }),
    reasons: reasonsFor(picture),
    ...(full && {
      inputs,
      target_r: planLevels(picture.consensus).target_r,
      drivers: driverRows(picture),
    }),
    ...withStaleNotes(staleBarNotes(agedBars(picture)), [
      ...lateBarNotes(picture, now),
      ...barNotes(picture.series),
      ...otherFileNotes(picture),
      ...inputNotes,
    ]),
    alternatives: alternatives.map(named),
  };
}
