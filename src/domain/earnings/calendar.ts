import { z } from "zod";
import { ReportHour } from "./earnings.ts";

/** A weekday on which US exchanges are closed, or close at 13:00 New York time. */
export const MarketDay = z.object({
  date: z.iso.date(),
  kind: z.enum(["closed", "half"]),
  name: z.string(),
});
export type MarketDay = z.infer<typeof MarketDay>;

/** The next report of a symbol, whether or not it is within the requested dates. */
export const NextReportRow = z.object({
  symbol: z.string(),
  date: z.iso.date().nullable().describe("null: see reason"),
  hour: ReportHour.nullable(),
  confirmed: z.boolean().nullable().describe("false: estimated by the provider"),
  reason: z.string().nullable(),
});
export type NextReportRow = z.infer<typeof NextReportRow>;

/** Events before the planned exit. */
export const EventRisk = z
  .object({
    horizon: z.iso.date().describe("Last date of the plan: 20 bars after the requested time"),
    earnings: z
      .object({
        date: z.iso.date(),
        hour: ReportHour,
        confirmed: z.boolean(),
        days: z.number().int().describe("Calendar days after the requested time"),
        within_horizon: z.boolean(),
      })
      .nullable(),
    earnings_reason: z.string().nullable().describe("Why no date is known"),
    holiday: MarketDay.extend({ days: z.number().int(), within_horizon: z.boolean() })
      .nullable()
      .describe("The next holiday of US exchanges; null for crypto, which never closes"),
    reports: z.boolean().describe("true: the instrument reports earnings (a stock)"),
    within_horizon: z
      .boolean()
      .nullable()
      .describe(
        "true: earnings or a holiday come before the plan ends; null: no holiday does, and the earnings date is unknown",
      ),
  })
  .describe("Earnings and holidays before the plan ends, as known at the requested time");
export type EventRisk = z.infer<typeof EventRisk>;
