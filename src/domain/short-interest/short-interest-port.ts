import type { CallOptions } from "../call-options.ts";
import type { Instrument } from "../market/market.ts";
import type { AnswerOrigin, DataUnavailable } from "../options-flow/options-port.ts";
import type { ShortInterestReport } from "./short-interest.ts";

export interface ShortInterestAnswer extends AnswerOrigin {
  /** Oldest first. */
  readonly reports: readonly ShortInterestReport[];
}

/** Short interest of stocks and funds, reported twice a month. Failure rejects. */
export interface ShortInterest {
  reports(instrument: Instrument, options?: CallOptions): Promise<ShortInterestAnswer | DataUnavailable>;
}
