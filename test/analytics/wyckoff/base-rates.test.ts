import { expect, it } from "vitest";
import { mergeEventMatches } from "../../../src/analytics/wyckoff/event-match.ts";
import { springs } from "../../../src/analytics/wyckoff/spring.ts";
import { strengthOf, supportOf } from "../../../src/analytics/wyckoff/strength.ts";
import { type View, viewsOf } from "../../../src/analytics/wyckoff/view.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

const present = <T>(list: readonly (T | null)[]): T[] => list.filter((one) => one !== null);

// Measured independently on these files with the same definitions: Springs after a decline 1.53 per 1,000 bars, in any
// context 9.35, UTADs after an advance 3.05, last points of support after a Spring in any context .84.
describeWithData("base rates per 1,000 daily bars", ["ohlcv", "us_daily"], (folder) => {
  const found = { bars: 0, declined: 0, any: 0, advanced: 0, supports: 0 };
  for (const bars of readDailyFolder(folder).values()) {
    const [up, down] = viewsOf(bars);
    const confirmed = (view: View) =>
      mergeEventMatches(springs(view).filter(({ confirmedAt }) => confirmedAt !== null));
    const low = confirmed(up);
    found.bars += bars.time.length;
    found.any += low.length;
    found.declined += low.filter(({ context }) => context === "after_decline").length;
    found.advanced += confirmed(down).filter(({ context }) => context === "after_decline").length;
    const signs = mergeEventMatches(present(low.map((spring) => strengthOf(up, spring))));
    found.supports += mergeEventMatches(present(signs.map((sign) => supportOf(up, sign)))).length;
  }
  const rate = (count: number) => (1000 * count) / found.bars;

  it("are close to the published ones", () => {
    expect(rate(found.declined)).toBeGreaterThan(1.2);
    expect(rate(found.declined)).toBeLessThan(1.9);
    expect(rate(found.any)).toBeGreaterThan(8);
    expect(rate(found.any)).toBeLessThan(11);
    expect(rate(found.advanced)).toBeGreaterThan(2.5);
    expect(rate(found.advanced)).toBeLessThan(3.6);
    expect(rate(found.supports)).toBeGreaterThan(0.65);
    expect(rate(found.supports)).toBeLessThan(1.05);
  });
});
