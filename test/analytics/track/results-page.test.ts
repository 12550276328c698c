import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { verdictOf } from "../../bench/track/page.ts";

const fileOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url));
const guide = fileOf("docs/track-record.md").toString("utf8");
const page = fileOf("docs/results/track-record.md").toString("utf8");

describe("the published results page", () => {
  it("is for the current model: `npm run bench -- track --write` regenerates it", () => {
    const [header] = page.split("\n## ");
    expect(header).toContain(`model \`${MODEL_VERSION}\``);
  });

  it("states first whether there is skill", () => {
    expect(page.split("\n\n")[1]).toMatch(/^\*\*(No skill|Some skill)[^*]*:\*\* /);
  });

  it("contains a picture of 1200 x 675 that the guide shows with a link to the page", () => {
    const png = fileOf("docs/results/track-record.png");
    expect(png.toString("latin1", 1, 4)).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 675]);
    expect(page).toContain("](track-record.png)");
    expect(guide).toContain("](results/track-record.png)");
    expect(guide).toContain("](results/track-record.md)");
  });

  it("matches its summary in the guide", () => {
    const [, signals] = page.match(/([\d,]+) signals at/)!;
    expect(guide).toContain(`all ${signals} signals`);
    expect(guide.includes("so no skill")).toBe(page.includes("**No skill"));
    // LONG and SHORT over their base
    for (const [, low, high] of page.split("\n## ")[0]!.matchAll(/over base \S+ \((\S+) to (\S+)\)/g))
      expect(guide).toContain(`(${low} to ${high})`);
    expect(guide).not.toContain("lean the right way");
  });
});

describe("the verdict on skill", () => {
  it("is none within the error, negative below it and some above it", () => {
    expect(verdictOf({ mean: 0.01, error: 0.01 })).toBe(
      "**No skill is shown after 20 bars:** forecasts from each grade's past saved +1.0% ± 1.0% of the base rate's squared error, no more than chance does.",
    );
    expect(verdictOf({ mean: 0.3, error: null })).toMatch(/^\*\*No skill is shown/);
    expect(verdictOf({ mean: -0.02, error: 0.01 })).toBe(
      "**No skill after 20 bars:** forecasts from each grade's past made 2.0% ± 1.0% more squared error than the base rate alone.",
    );
    expect(verdictOf({ mean: 0.02, error: 0.01 })).toBe(
      "**Some skill after 20 bars, on this history alone:** forecasts from each grade's past saved +2.0% ± 1.0% of the base rate's squared error.",
    );
  });
});
