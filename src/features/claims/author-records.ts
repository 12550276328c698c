import { shareOfCalls } from "../../analytics/track/share-of-calls.ts";
import { type AuthorRecord, authorKey } from "../../domain/claims/claims.ts";
import type { StoredClaim } from "../../domain/claims/claims-port.ts";
import { groupBy } from "../../lib/group-by.ts";

/** Returns the record of each author, most claims first. Names with the same `authorKey` are one author. */
export const authorRecords = (claims: readonly StoredClaim[]): readonly AuthorRecord[] =>
  [...groupBy(claims, ({ author }) => authorKey(author)).values()]
    .map(recordOf)
    .toSorted((a, b) => b.claims - a.claims || (a.author < b.author ? -1 : 1));

function recordOf(claims: readonly StoredClaim[]): AuthorRecord {
  const settled = claims.filter(({ state }) => state === "right" || state === "wrong");
  const others = settled.filter(({ base }) => base === null);
  const { n, n_eff, happened, interval, base } = shareOfCalls(
    settled.flatMap((claim) =>
      claim.base === null
        ? []
        : {
            symbol: claim.symbol,
            from: Date.parse(claim.recorded_at),
            until: Date.parse(claim.until),
            happened: claim.state === "right",
            odds: null,
            base: claim.base,
          },
    ),
  );
  const right = others.filter(({ state }) => state === "right").length;
  return {
    author: claims[0]!.author,
    claims: claims.length,
    open: claims.filter(({ state }) => state === "open").length,
    withdrawn: claims.filter(({ withdrawn_at }) => withdrawn_at !== null).length,
    n,
    n_eff,
    right: happened,
    interval,
    base,
    without_base: { n: others.length, right: others.length === 0 ? null : right / others.length },
  };
}
