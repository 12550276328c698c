import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { suiteDir } from "../../support/temp-dir.ts";
import { fileText } from "./made-files.ts";
import { pageText, pictureOf, rangeText } from "./page.ts";
import { oddsPanel, oddsSvg } from "./picture.ts";
import { readDailyFiles } from "./read-folder.ts";
import { type Section, sectionOf } from "./results.ts";
import { missesOf } from "./targets.ts";
import { walkFile } from "./walk.ts";
import { walkFiles } from "./walk-files.ts";

const PATHS = 40;
const template = readFileSync(join(import.meta.dirname, "page.md"), "utf8");
const { dir, remove } = suiteDir();
afterAll(remove);
writeFileSync(join(dir, "ONE.csv"), fileText(syntheticBars(1, 900)));
writeFileSync(join(dir, "TWO.txt"), fileText(syntheticBars(2, 900)));
writeFileSync(join(dir, "COIN.csv"), fileText(syntheticBars(3, 700, "UTC")));
writeFileSync(join(dir, "notes.md"), "# Notes\n");
mkdirSync(join(dir, "sub"));
writeFileSync(join(dir, "sub/THREE.csv"), fileText(syntheticBars(4, 900)));

const { files, skipped } = readDailyFiles(dir, { assetClass: null, isAdjusted: false });
const sections: Section[] = [];
for (const assetClass of ["equity", "crypto"] as const) {
  const own = files.filter((file) => file.assetClass === assetClass);
  const scales = sections[0]?.range.scales ?? null;
  sections.push(sectionOf("made", own, await walkFiles(own, PATHS), { paths: PATHS, scales }));
}
const results = { sections, paths: PATHS, day: "2026-01-31", speed: { paths: 5, row: 4 } };

describe("a folder of daily files", () => {
  it("is read without its sub-folders; what is no table is named", () => {
    expect(files.map(({ symbol, assetClass }) => `${symbol} ${assetClass}`)).toEqual([
      "COIN crypto",
      "ONE equity",
      "TWO.txt equity",
    ]);
    expect(skipped).toEqual([
      { name: "notes.md", reason: "no table with the columns date,open,high,low,close,volume" },
    ]);
    expect(() => readDailyFiles(join(dir, "none"), { assetClass: null, isAdjusted: false })).toThrow(
      "ENOENT",
    );
  });

  it("has the same scores on threads, in the order of the files", async () => {
    expect(await walkFiles(files, PATHS)).toEqual(files.map((file) => walkFile(file, PATHS)));
  });

  it("gives a section for each asset class, with every forecast that has an outcome", () => {
    const [stocks, coins] = sections;
    // bars 500, 505, ... of two files of 900 and of one of 700
    expect(stocks!.paths.map(({ forecasts }) => forecasts)).toEqual([2 * 79, 2 * 76, 2 * 68]);
    expect(coins!.paths.map(({ forecasts }) => forecasts)).toEqual([39, 36, 28]);
    expect([stocks!.files, coins!.files]).toEqual([2, 1]);
    expect(coins!.closedForm).toEqual([]);
    for (const { paths } of sections)
      for (const { cover } of paths) expect(cover[0]! <= cover[1]! && cover[1]! <= cover[2]!).toBe(true);
  });

  it("fills the page", () => {
    const page = pageText(template, results);
    expect(page).not.toContain("{{");
    expect(page).not.toMatch(/NaN|undefined|null/);
    for (const heading of ["# Odds", "## US stocks and funds: made", "## Coins: made", "## Pitfalls"])
      expect(page.split("\n")).toContain(heading);
    expect(page.match(/^### Ranges in closed form$/gm)).toHaveLength(1);
    expect(page.match(/^### Calibration of plans$/gm)).toHaveLength(2);
    expect(page.match(/^### Differences between methods$/gm)).toHaveLength(2);
    for (const section of sections) for (const miss of missesOf(section)) expect(page).toContain(miss);
    expect(page).toContain("2, 3, 5, 8 % over 5 bars");
  });

  it("measures the range position of the later half of stocks and of all coins", () => {
    const [stocks, coins] = sections;
    // two files of 900 bars with forecasts at 500, 505, ... 890: the cut is at 40 of 79
    expect(stocks!.range.coverage.map(({ forecasts }) => forecasts)).toEqual([2 * 40, 2 * 37, 2 * 29]);
    expect(coins!.range.coverage.map(({ forecasts }) => forecasts)).toEqual([39, 36, 28]);
    expect(coins!.range.scales).toEqual(stocks!.range.scales);
    expect(rangeText(sections)).toContain("Coins, early scale");
    expect(rangeText([coins!]).split("\n")[0]).toContain("coverage of the 90 % range, %");
  });

  it("is drawn with a point for each tenth of the odds", () => {
    const picture = pictureOf(results);
    expect(picture.series).toEqual(["US stocks and funds: made", "Coins: made"]);
    const points = picture.panels.flatMap((panel) => panel.points.flat());
    const bins = sections.flatMap(({ paths }) => paths.flatMap((each) => each.bins.filter((bin) => bin)));
    expect(points).toHaveLength(bins.length);
    // a background and the points
    expect(oddsSvg(picture).match(/<rect /g)).toHaveLength(1 + points.length);
  });

  it("refuses a template with an unknown place", () => {
    expect(() => pageText("{{figures}}", results)).toThrow("unknown place figures");
  });
});

describe("the picture of odds", () => {
  it("has squares of 330 pixels from 0 to 1", () => {
    const { across, up } = oddsPanel(1);
    expect([across(0), across(1), up(0), up(1)]).toEqual([446, 776, 482, 152]);
  });
});
