import type { CallOptions } from "../call-options.ts";
import type { Instrument } from "../market/market.ts";
import type { AnswerOrigin, DataUnavailable } from "../options-flow/options-port.ts";
import type { CompanyRecord } from "./facts.ts";

export interface CompanyAnswer extends AnswerOrigin {
  readonly record: CompanyRecord;
}

/** What companies file with the SEC. Failure rejects. */
export interface Company {
  facts(instrument: Instrument, options?: CallOptions): Promise<CompanyAnswer | DataUnavailable>;
}
