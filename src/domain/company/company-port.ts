import type { CallOptions } from "../call-options.ts";
import type { Instrument } from "../market/market.ts";
import type { AnswerOrigin, DataUnavailable } from "../options-flow/options-port.ts";
import type { CompanyRecord } from "./facts.ts";
import type { InsiderFilings } from "./insiders.ts";

export interface CompanyAnswer extends AnswerOrigin {
  readonly record: CompanyRecord;
}

export interface InsiderRequest {
  /** Only filings known by this time are read, epoch ms. Default: now. */
  readonly until?: number | undefined;
  /** Only purchases and sales, codes P and S. */
  readonly openMarket: boolean;
  /** Number of transactions after which no further filing is read. */
  readonly count: number;
}
export type InsiderAnswer = AnswerOrigin & InsiderFilings;

/** What companies and their insiders file with the SEC. Failure rejects. */
export interface Company {
  facts(instrument: Instrument, options?: CallOptions): Promise<CompanyAnswer | DataUnavailable>;
  /** Transactions of insiders from the newest Forms 4. */
  insiders(
    instrument: Instrument,
    request: InsiderRequest & CallOptions,
  ): Promise<InsiderAnswer | DataUnavailable>;
}
