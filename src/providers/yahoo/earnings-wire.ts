import { z } from "zod";

/** A number, or one with its text beside it; `{}` for none. */
const Raw = z
  .union([z.number(), z.object({ raw: z.number().optional() }).transform(({ raw }) => raw ?? null)])
  .nullish()
  .transform((value) => value ?? null);
/** Epoch seconds as ms, of a date that exists. */
const Seconds = z
  .int()
  .positive()
  .max(8.64e12)
  .transform((seconds) => seconds * 1_000);

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
/** What is ahead. */
export const Events = z.object({
  earnings: z.object({
    earningsDate: z.array(Seconds).default([]),
    earningsCallDate: z.array(Seconds).default([]),
    isEarningsDateEstimate: z.boolean().nullish(),
    earningsAverage: Raw.optional(),
    revenueAverage: Raw.optional(),
  }),
});
/** What it tells of one company. */
export const Result = z.object({
  earningsHistory: History,
  earnings: Earnings,
  calendarEvents: Events.optional(),
  price: z.looseObject({ symbol: z.string() }).optional(),
});
/** The envelope of every answer. */
export const Answer = z.object({
  quoteSummary: z.object({
    result: z.array(z.unknown()).nullable(),
    error: z.looseObject({ code: z.string() }).nullable(),
  }),
});
