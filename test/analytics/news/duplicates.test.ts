import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  clusterStories,
  publisherKey,
  resemblance,
  shinglesOf,
} from "../../../src/analytics/news/duplicates.ts";
import type { Headline } from "../../../src/domain/news/news.ts";

const HOUR = 3_600_000;
const headline = (title: string, hour: number, id = `${title} ${hour}`): Headline => ({
  id,
  title,
  publisher: "Desk",
  url: null,
  publishedAt: hour * HOUR,
  tags: [],
});

describe("near-duplicates", () => {
  it("are measured by shared words and word pairs", () => {
    expect([...shinglesOf("Acme cuts outlook")]).toEqual([
      "acme",
      "cuts",
      "outlook",
      "acme cuts",
      "cuts outlook",
    ]);
    // Of 5 + 5 - 3 distinct words and pairs, 3 are shared: acme, cuts and their pair.
    expect(resemblance(shinglesOf("acme cuts a"), shinglesOf("acme cuts b"))).toBe(3 / 7);
    expect(resemblance(new Set(), new Set())).toBe(0);
  });

  it("are grouped into one story under the earliest headline", () => {
    const late = headline("Acme cuts full-year outlook on weak demand, report says", 3);
    const early = headline("Acme cuts full-year outlook on weak demand", 1);
    const other = headline("Acme names a new chairman", 2);
    expect(clusterStories([late, other, early])).toEqual([
      { first: early, again: [late] },
      { first: other, again: [] },
    ]);
  });

  it("are separate stories after three days", () => {
    const weekly = [1, 73, 74].map((hour) => headline("Acme weekly report is out", hour));
    expect(clusterStories(weekly).map(({ again }) => again.length)).toEqual([1, 0]);
  });

  it("do not change earlier stories", () => {
    const words = fc.array(fc.constantFrom("acme", "cuts", "outlook", "on", "demand"), {
      minLength: 2,
      maxLength: 5,
    });
    const items = fc.array(fc.record({ words, hour: fc.integer({ min: 0, max: 200 }) }), { maxLength: 12 });
    fc.assert(
      fc.property(items, fc.integer({ min: 0, max: 200 }), (given, cut) => {
        const all = given.map(({ words: title, hour }, i) => headline(title.join(" "), hour, `h${i}`));
        const then = clusterStories(all.filter(({ publishedAt }) => publishedAt <= cut * HOUR));
        const now = clusterStories(all);
        const seen = now.flatMap(({ first, again }) =>
          first.publishedAt <= cut * HOUR
            ? [{ first, again: again.filter(({ publishedAt }) => publishedAt <= cut * HOUR) }]
            : [],
        );
        expect(then).toEqual(seen);
      }),
    );
  });

  it("merge different spellings of a publisher", () => {
    expect(publisherKey("MarketWatch.com")).toBe(publisherKey("market watch"));
    expect(publisherKey("www.reuters.com")).toBe("reuters");
  });
});
