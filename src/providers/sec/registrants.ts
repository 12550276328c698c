import { type CompanyFacts, type Fact, factsOf } from "./client.ts";
import { TAGS, UNITS } from "./quarters.ts";

const DAY = 86_400_000;
/** Time within which a company files all kinds of reports once, ms. */
const YEAR = 350 * DAY;

/**
 * Earlier CIKs of companies that registered again, as after a change of the holding company; EDGAR lists a ticker only
 * under its newest CIK. Entries whose new CIK has three years of reports can be removed.
 */
const PREDECESSORS: ReadonlyMap<number, number> = new Map([
  // ExxonMobil Holdings Corporation (Form 8-K12B of 2026-07-01), before Exxon Mobil Corporation
  [2115436, 34088],
]);

/** Returns the CIK under which a company filed before its present one; null if none is known. */
export const predecessorOf = (cik: number): number | null => PREDECESSORS.get(cik) ?? null;

/** Returns the facts of a company and of its predecessor. */
export function joinFacts(facts: CompanyFacts | null, before: CompanyFacts | null): CompanyFacts | null {
  if (facts === null || before === null) return facts ?? before;
  const joined: CompanyFacts["facts"]["us-gaap"] = { ...before.facts["us-gaap"] };
  for (const [tag, { units }] of Object.entries(facts.facts["us-gaap"])) {
    const earlier = joined[tag]?.units ?? {};
    const names = [...new Set([...Object.keys(earlier), ...Object.keys(units)])];
    const rows = names.map((name) => [name, [...(earlier[name] ?? []), ...(units[name] ?? [])]]);
    joined[tag] = { units: Object.fromEntries(rows) as Record<string, unknown[]> };
  }
  return { ...facts, facts: { "us-gaap": joined } };
}

/**
 * Returns a note if the figures under a CIK begin so late that those filed under an earlier one are missing. `before`:
 * the known earlier CIK, whose filings could not be read.
 */
export function historyNotes(
  cik: number,
  facts: CompanyFacts | null,
  before: number | null,
): readonly string[] {
  const filed = (facts === null ? [] : factsInLines(facts)).map((fact) => fact.filed).sort();
  const [first] = filed;
  if (before !== null)
    return [
      `The company filed under CIK ${before} before it registered as CIK ${cik}. The SEC did not return those filings, so figures filed before ${first ?? "the change"} are missing`,
    ];
  if (first === undefined || Date.parse(filed.at(-1)!) - Date.parse(first) >= YEAR) return [];
  return [
    `The first figures under CIK ${cik} were filed on ${first}. If the company registered again, earlier figures were filed under another CIK and are missing`,
  ];
}

const factsInLines = (facts: CompanyFacts): readonly Fact[] =>
  (Object.keys(TAGS) as (keyof typeof TAGS)[]).flatMap((line) =>
    TAGS[line].flatMap((tag) => factsOf(facts, tag, UNITS[line])),
  );
