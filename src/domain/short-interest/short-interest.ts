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

/** A report; dates are in New York, and its fields are described by the list that holds it. */
export const ShortInterestRow = z.object({
  settled: z.string(),
  published: z.string(),
  shares_short: Count,
  change_percent: Figure,
  average_volume: Count.nullable(),
  days_to_cover: Figure,
});
export type ShortInterestRow = z.infer<typeof ShortInterestRow>;
