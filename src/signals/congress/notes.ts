import type { Coverage, DisclosureOrigin, UnreadFiling } from "../../domain/congress.ts";

/** What a reader of disclosures must know: what is not covered, what could not be read, and how old it all is. */
export function notesOf(
  { coverage, stale, fetched_at, source }: DisclosureOrigin,
  unread: readonly UnreadFiling[],
  from: string,
): readonly string[] {
  if (source === null) return [];
  return [
    ...uncovered(coverage),
    ...partly(coverage, from),
    ...(unread.length === 0
      ? []
      : [
          `${unread.length === 1 ? "One filing" : `${unread.length} filings`} of these days could not be read: ${reasonsOf(unread)}`,
        ]),
    ...(stale ? [`STALE: no source answers now; this is what was held at ${fetched_at ?? "no time"}`] : []),
    "Trades are known from their filing on, up to 45 days after they were made and often later; amounts are ranges.",
  ];
}

/** Chambers whose filings are held from a later day on than was asked for, or from one that the source does not tell. */
const partly = (coverage: Coverage, from: string): readonly string[] =>
  (["house", "senate"] as const).flatMap((chamber) => {
    const { covered, since, source } = coverage[chamber];
    if (!covered || (since !== null && since <= from)) return [];
    return since === null
      ? [`${chamber}: ${source} does not say from when on its filings are whole`]
      : [`${chamber}: whole from filings of ${since} on; earlier ones may be missing`];
  });

const uncovered = (coverage: Coverage): readonly string[] =>
  (["house", "senate"] as const).flatMap((chamber) => {
    const { covered, reason } = coverage[chamber];
    return covered ? [] : [`${chamber}: ${reason ?? "not covered"}`];
  });

const reasonsOf = (unread: readonly UnreadFiling[]): string => {
  const count = new Map<string, number>();
  for (const { why } of unread) count.set(why, (count.get(why) ?? 0) + 1);
  return [...count].map(([why, filings]) => `${why} (${filings})`).join("; ");
};
