import { z } from "zod";
import { EpochSeconds } from "../shared/fields.ts";

/** A number, or an object with a number in `raw`; null if there is none. */
const Raw = z
  .union([z.number(), z.object({ raw: z.number().optional() }).transform(({ raw }) => raw ?? null)])
  .nullish()
  .transform((value) => value ?? null);

const History = z.object({
  history: z.array(
    z.object({
      epsActual: Raw,
      epsEstimate: Raw,
      quarter: Raw.refine((seconds) => seconds === null || Math.abs(seconds) <= 8.64e12),
      currency: z.string().nullish(),
    }),
  ),
});
const Earnings = z.object({
  earningsChart: z.object({
    quarterly: z.array(
      z.object({ date: z.string().max(12), actual: Raw.optional(), estimate: Raw.optional() }),
    ),
    currentQuarterEstimateDate: z.string().max(4).nullish(),
    currentQuarterEstimateYear: z.int().nullish(),
  }),
  financialsChart: z.object({
    quarterly: z.array(z.object({ date: z.string().max(12), revenue: Raw.optional() })),
  }),
  financialCurrency: z.string().nullish(),
});
/** Scheduled events. */
export const Events = z.object({
  earnings: z.object({
    earningsDate: z.array(EpochSeconds).default([]),
    earningsCallDate: z.array(EpochSeconds).default([]),
    isEarningsDateEstimate: z.boolean().nullish(),
    earningsAverage: Raw.optional(),
    revenueAverage: Raw.optional(),
  }),
});
/** Summary of one company. */
export const Result = z.object({
  earningsHistory: History,
  earnings: Earnings,
  calendarEvents: Events.optional(),
  price: z.looseObject({ symbol: z.string() }).optional(),
});
/** Envelope of every response. */
export const Answer = z.object({
  quoteSummary: z.object({
    result: z.array(z.unknown()).nullable(),
    error: z.looseObject({ code: z.string() }).nullable(),
  }),
});
