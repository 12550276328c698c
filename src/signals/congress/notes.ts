import type { Coverage, DisclosureOrigin, UnreadFiling } from "../../domain/congress.ts";

/** What a reader of disclosures must know: what is not covered, what could not be read, and how old it all is. */
export function notesOf(
  { coverage, stale, fetched_at, source }: DisclosureOrigin,
  unread: readonly UnreadFiling[],
): readonly string[] {
  if (source === null) return [];
  return [
    ...uncovered(coverage),
    ...(unread.length === 0
      ? []
      : [`${unread.length} filings of these days could not be read: ${reasonsOf(unread)}`]),
    ...(stale ? [`STALE: no source answers now; this is what was held at ${fetched_at ?? "no time"}`] : []),
    "Trades are known from their filing on, up to 45 days after they were made and often later; amounts are ranges.",
  ];
}

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
