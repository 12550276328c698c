import { z } from "zod";
import { Count, Figure } from "../answers.ts";

/** Shares of one stock or fund that were sold short and not yet bought back, on one settlement date. */
export interface ShortInterestReport {
  /** 00:00 UTC of the settlement date, epoch ms. */
  readonly settlement: number;
  readonly shares: number;
  /** Shares of the report before; null if unknown. */
  readonly previous: number | null;
  /** Average daily volume since the report before, in shares; null if unknown. */
  readonly averageVolume: number | null;
  /** True if a split since the report before makes both counts incomparable. */
  readonly split: boolean;
  /** True if the figures were corrected after their first publication. */
  readonly revised: boolean;
  /** Scheduled publication, epoch ms. */
  readonly knownAt: number;
}

export const ShortInterestRow = z.object({
  settlement_date: z.iso.date(),
  published: z.iso.date().describe("Scheduled day of publication, evening in New York"),
  shares_short: Count,
  change: Count.nullable().describe("Shares since the report before; null after a split"),
  change_percent: Figure,
  average_daily_volume: Count.nullable(),
  days_to_cover: Figure.describe("shares_short / average_daily_volume"),
  revised: z.boolean().describe("true: corrected after its first publication"),
});
export type ShortInterestRow = z.infer<typeof ShortInterestRow>;

export const ShareOfCompany = z.object({
  percent: z.number().describe("100 x shares_short of the newest report / shares"),
  shares: Count.describe("Diluted shares of the newest quarter filed by then, insiders' included"),
  period_end: z.iso.date(),
});
export type ShareOfCompany = z.infer<typeof ShareOfCompany>;
