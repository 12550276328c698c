import type { Chamber, DisclosureOrigin, UnreadFiling } from "../../domain/congress/congress.ts";

/** What a reader of disclosures must know: which chamber lacks a source, what could not be read, and how old it all is. */
export function notesOf(
  { coverage, stale, fetched_at, source }: DisclosureOrigin,
  unread: readonly UnreadFiling[],
  chambers: readonly Chamber[] = ["house", "senate"],
): readonly string[] {
  if (source === null) return [];
  return [
    ...chambers.flatMap((chamber) => {
      const { covered, reason } = coverage[chamber];
      return covered && reason === null ? [] : [`${chamber}: ${reason ?? "not covered"}`];
    }),
    ...(unread.length === 0 ? [] : [formatUnread(unread)]),
    ...(stale ? [`STALE: no source answers now; this is what was held at ${fetched_at ?? "no time"}`] : []),
    "Trades are known from their filing on, up to 45 days after they were made and often later; amounts are ranges.",
  ];
}

function formatUnread(unread: readonly UnreadFiling[]): string {
  const count = new Map<string, number>();
  for (const { why } of unread) count.set(why, (count.get(why) ?? 0) + 1);
  const filings = unread.length === 1 ? "One filing" : `${unread.length} filings`;
  const reasons = [...count].map(([why, times]) => `${why} (${times})`).join("; ");
  return `${filings} of these days, of whatever ticker, could not be read: ${reasons}`;
}
