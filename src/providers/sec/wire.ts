import { z } from "zod";
import { readableRows } from "../shared/api.ts";

const Day = z.iso.date();

/** Filings as columns of one length, newest first. */
const Recent = z
  .object({
    form: z.array(z.string()),
    items: z.array(z.string()),
    filingDate: z.array(z.string()),
    reportDate: z.array(z.string()),
    acceptanceDateTime: z.array(z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)),
  })
  .refine((columns) => new Set(Object.values(columns).map(({ length }) => length)).size === 1);
export const Submissions = z.object({
  cik: z.union([z.string(), z.number()]).transform(Number),
  filings: z.object({ recent: Recent }),
});
export type Submissions = z.infer<typeof Submissions>;

/** One figure of one filing. Its dates give its quarter; `fy` and `fp` belong to the filing. */
const Fact = z.object({
  start: Day.optional(),
  end: Day,
  val: z.number(),
  form: z.string().max(20),
  filed: Day,
});
export type Fact = z.infer<typeof Fact>;

export const CompanyFacts = z.object({
  cik: z.union([z.string(), z.number()]).transform(Number),
  facts: z.object({
    "us-gaap": z
      .record(z.string(), z.looseObject({ units: z.record(z.string(), z.array(z.unknown())) }))
      .default({}),
  }),
});
export type CompanyFacts = z.infer<typeof CompanyFacts>;

/** Facts of a tag in one unit; unreadable ones are dropped. */
export function factsOf({ facts }: CompanyFacts, tag: string, unit: string): readonly Fact[] {
  return readableRows(Fact, facts["us-gaap"][tag]?.units[unit] ?? []);
}
