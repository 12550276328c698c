import { z } from "zod";

const Day = z.iso.date();

/** Every company that files, by a running number. */
export const Companies = z.record(
  z.string().max(12),
  z.object({ cik_str: z.int().positive(), ticker: z.string().max(20) }),
);

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

/** One figure in one filing. Its quarter is told by its dates: `fy` and `fp` are of the filing it stands in. */
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

/** Facts of a tag in one unit; none where the company does not use it, or writes it in another way. */
export function factsOf({ facts }: CompanyFacts, tag: string, unit: string): readonly Fact[] {
  const rows = facts["us-gaap"][tag]?.units[unit] ?? [];
  return rows.flatMap((row) => {
    const read = Fact.safeParse(row);
    return read.success ? [read.data] : [];
  });
}
