import type { Chamber, DisclosureOrigin, UnreadFiling } from "../../domain/congress/congress.ts";

/** Returns notes on missing chambers, unreadable filings and stale data. */
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
    ...(stale
      ? [`STALE: no provider responds now; this is the data of ${fetched_at ?? "an unknown time"}`]
      : []),
    "Trades become known when filed, up to 45 days after the trade and often later; amounts are ranges.",
  ];
}

function formatUnread(unread: readonly UnreadFiling[]): string {
  const count = new Map<string, number>();
  for (const { why } of unread) count.set(why, (count.get(why) ?? 0) + 1);
  const filings = unread.length === 1 ? "One filing" : `${unread.length} filings`;
  const reasons = [...count].map(([why, times]) => `${why} (${times})`).join("; ");
  return `${filings} of these days (all tickers) could not be read: ${reasons}`;
}
