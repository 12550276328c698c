import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ODDS_VERSION } from "../../../src/analytics/odds/odds.ts";
import { fixedText } from "../../../src/charts/figures.ts";
import { isoDate } from "../../../src/lib/iso-date.ts";
import { pngOf } from "../../../src/lib/png.ts";
import type { Estimate } from "./bootstrap.ts";
import { type OddsPicture, oddsSvg } from "./picture.ts";
import type { HorizonResults, Section } from "./results.ts";
import type { Speed } from "./speed.ts";
import {
  boundsTable,
  calibrationTable,
  differenceTable,
  mainTable,
  percent,
  planTable,
  rangeTable,
  reliabilityTable,
  scaleText,
  variantTable,
  yearsTable,
} from "./tables.ts";
import { missesOf } from "./targets.ts";
import { HORIZONS, LEVELS } from "./walk.ts";

const DOCS = join(import.meta.dirname, "../../../docs");
const TEMPLATE = join(import.meta.dirname, "page.md");

/** Everything that the page shows. */
export interface PageResults {
  readonly sections: readonly Section[];
  readonly paths: number;
  readonly speed: Speed;
  /** Date of the run, `2026-01-31`. */
  readonly day: string;
}

/** Writes docs/odds.md and its picture. */
export async function writePage(results: PageResults): Promise<void> {
  writeFileSync(join(DOCS, "odds.md"), pageText(readFileSync(TEMPLATE, "utf8"), results));
  writeFileSync(join(DOCS, "images/odds-reliability.png"), await pngOf(oddsSvg(pictureOf(results))));
}

/** Returns the template with its `{{name}}` places filled. @throws Error for a place without a text */
export function pageText(template: string, { sections, paths, speed, day }: PageResults): string {
  const texts: Readonly<Record<string, string>> = {
    day,
    version: ODDS_VERSION,
    paths: fixedText(paths, 0),
    levels: levelsText(),
    summary: sections.map((section) => `- ${summaryText(section)}`).join("\n"),
    sections: sections.map((section) => sectionText(section, 2)).join("\n\n"),
    range_position: rangeText(sections),
    speed: speedText(speed),
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`The template has an unknown place ${name}`);
    return text;
  });
}

/** Returns what a class of symbols is called in headings. */
const classText = ({ assetClass }: Section): string =>
  assetClass === "crypto" ? "Coins" : "US stocks and funds";
export const titleOf = (section: Section): string => `${classText(section)}: ${section.folder}`;

export const speedText = ({ paths, row }: Speed): string =>
  `One symbol takes ${paths.toFixed(1)} ms of processor time for the model and 2,000 paths of 60 bars (median), and ${row.toFixed(1)} ms for the odds of a row of a nightly run: 4,000 paths of 20 bars with a plan and its base rates, about ${fixedText(5 * row, 0)} s for 5,000 symbols.`;

const levelsText = (): string =>
  HORIZONS.map(
    (horizon) =>
      `${LEVELS[horizon].map((each) => fixedText(100 * each, 0)).join(", ")} % over ${horizon} bars`,
  ).join("; ");

/** States the coverage of the 80 % range at each horizon and in its worst year. */
export function summaryText(section: Section): string {
  const covers = section.paths.map(
    ({ cover, horizon }, i) => `${percent(cover[1])} %${i === 0 ? " of closes" : ""} after ${horizon} bars`,
  );
  const [worst] = section.paths
    .flatMap(({ years, horizon }) => years[1]!.map((year) => ({ ...year, horizon })))
    .sort((a, b) => a.cover - b.cover);
  const year =
    worst === undefined
      ? ""
      : `; in the worst year (${worst.year}, ${worst.horizon} bars) ${percent(worst.cover)} %`;
  return `${classText(section)} (${section.files} ${section.files === 1 ? "file" : "files"}, ${fixedText(section.paths[0]!.forecasts, 0)} forecasts from ${section.from} to ${section.until}): the 80 % range contained ${listText(covers)}${year}.`;
}

const listText = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

/** Returns the tables of a section under a heading of a level. */
export function sectionText(section: Section, depth: number): string {
  const mark = "#".repeat(depth);
  const misses = missesOf(section);
  const part = (title: string, ...texts: readonly string[]) => [`${mark}# ${title}`, ...texts];
  return [
    `${mark} ${titleOf(section)}`,
    summaryText(section),
    mainTable(section),
    misses.length === 0
      ? "Every figure is in the expected range."
      : `Outside the expected range: ${misses.join("; ")}.`,
    ...part("By kind and volatility", section.kinds),
    ...part("Worst years", yearsTable(section)),
    ...part("Touch odds by tenths", reliabilityTable(section)),
    ...part("Target before stop", planText(section), planTable(section)),
    ...(section.plans.length === 0
      ? []
      : [
          ...part("Calibration of plans", calibrationTable(section)),
          ...part("Differences between methods", differenceTable(section)),
        ]),
    ...part("From the newest 500 bars", variantTable(section.newest)),
    ...(section.closedForm.length === 0
      ? []
      : part("Ranges in closed form", variantTable(section.closedForm))),
    ...part("Expected ranges", boundsTable(section)),
  ].join("\n\n");
}

/** States where the scales of `range_position` come from, with the coverage of each. */
export function rangeText(sections: readonly Section[]): string {
  const scales = sections.find(({ assetClass }) => assetClass === "equity")?.range.scales ?? null;
  return [
    ...(scales === null
      ? []
      : [
          `The scale of all returns of US stocks and funds is ${scaleText(scales.all)}. The early scale is that of their returns before ${isoDate(scales.cut)}, the median date of their forecasts. The table has their later forecasts and all forecasts of coins.`,
        ]),
    rangeTable(sections.map((section) => ({ name: classText(section), range: section.range }))),
  ].join("\n\n");
}

/** States whether the odds of plans have any skill, and how expected R relates to realised R on each side. */
export function planText({ plans }: Section): string {
  const both = plans.at(-1);
  if (both === undefined) return "No plan has an outcome.";
  const correlations = plans.flatMap(({ side, correlation }) =>
    side === null || correlation === null ? [] : `${fixedText(correlation, 2)} (${side})`,
  );
  return [
    `Brier score of the odds, both sides together: against the base rate of the symbol ${comparison(both.brierOverBase)}; against the share of all plans of a side that reached their target ${comparison(both.brierOverShare)}.`,
    "The second comparison is harder: a base rate over few years is itself uncertain, while that share is only known afterwards.",
    correlations.length === 0
      ? ""
      : `Within a side, expected R correlates ${listText(correlations)} with realised R; over both sides, the correlation also contains the general rise of prices.`,
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** States a comparison whose interval may include no difference. */
function comparison({ value, low, high }: Estimate): string {
  if (value === null || low === null || high === null) return "too few dates for a comparison";
  if (low > 0) return "better by more than the error";
  return high < 0 ? "worse by more than the error" : "no difference beyond the error";
}

/** Builds the picture of the reliability of touch odds. */
export function pictureOf({ sections }: Pick<PageResults, "sections">): OddsPicture {
  return {
    summary: sections
      .map(
        (section) =>
          `${classText(section)}: error ${section.paths.map(({ calibration }) => percent(calibration)).join(", ")} points`,
      )
      .join("  |  "),
    series: sections.map(titleOf),
    panels: HORIZONS.map((horizon) => ({
      title: `${horizon} bars`,
      points: sections.map((section) => pointsOf(section.paths.find((each) => each.horizon === horizon))),
    })),
    notes: [
      "Area: number of odds in the tenth. Lines: 95% intervals over calendar blocks of 60 sessions that all symbols share.",
      "Error: mean distance of odds and outcomes over ten bins. Files of symbols that exist today, price only. See docs/odds.md.",
    ],
  };
}

function pointsOf(results: HorizonResults | undefined): OddsPicture["panels"][number]["points"][number] {
  const bins = (results?.bins ?? []).filter((bin) => bin !== null);
  const most = Math.max(...bins.map(({ count }) => count));
  return bins.map(({ forecast, happened: { value, low, high }, count }) => ({
    forecast,
    happened: value!,
    interval: low === null || high === null ? null : { low, high },
    weight: count / most,
  }));
}
