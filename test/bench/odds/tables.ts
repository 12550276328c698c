import { CLOSE_SCALE } from "../../../src/analytics/indicators/range-position.ts";
import { fixedText } from "../../../src/charts/figures.ts";
import { tableOf } from "../detectors/report.ts";
import type { Estimate } from "./bootstrap.ts";
import type { Difference } from "./plan-odds.ts";
import type { RangeCoverage } from "./range-results.ts";
import type { HorizonResults, PlanResults, RangeResults, Section, YearCover } from "./results.ts";
import { boundsText, checkedOf } from "./targets.ts";
import { COVERS, HORIZONS } from "./walk.ts";

const WORST_YEARS = 3;

/** Returns a share as a percentage or points without a sign; a dash if undefined. */
export const percent = (value: number | null | undefined): string =>
  value == null || Number.isNaN(value) ? "-" : fixedText(100 * value, 1);
const signed = (value: number | null): string =>
  value === null ? "-" : `${value < 0 ? "" : "+"}${percent(value)}`;

/** Returns a figure with its interval. */
const intervalText = ({ value, low, high }: Estimate, text: (figure: number | null) => string): string =>
  low === null ? text(value) : `${text(value)} (${text(low)} to ${text(high)})`;
/** Returns a skill, the share of an error that is avoided, in percent with its interval. */
const gainText = (gain: Estimate): string => intervalText(gain, signed);

const yearText = (year: YearCover | undefined): string =>
  year === undefined
    ? "-"
    : `${percent(year.cover)} (${year.year}: ${fixedText(year.forecasts, 0)} on ${year.dates} ${year.dates === 1 ? "date" : "dates"})`;
const head = (first: string): readonly string[] => [first, ...HORIZONS.map((horizon) => `${horizon} bars`)];

/** Returns cells for each horizon; a dash where no file is long enough. */
const cells = (
  results: readonly HorizonResults[],
  text: (results: HorizonResults) => string,
): readonly string[] =>
  HORIZONS.map((horizon) => {
    const found = results.find((each) => each.horizon === horizon);
    return found === undefined ? "-" : text(found);
  });

const coverRows = (results: readonly HorizonResults[]): readonly (readonly string[])[] => [
  ["forecasts", ...cells(results, ({ forecasts }) => fixedText(forecasts, 0))],
  ...COVERS.map((cover, i) => [
    `coverage of the ${100 * cover} % range, %`,
    ...cells(results, (each) => percent(each.cover[i])),
  ]),
];
const worstRow = (results: readonly HorizonResults[], range: (typeof COVERS)[number]): readonly string[] => [
  `worst year of the ${100 * range} % range, %`,
  ...cells(results, ({ years }) => yearText(years[COVERS.indexOf(range)]![0])),
];
const crpsRow = (results: readonly HorizonResults[]): readonly string[] => [
  "CRPS better than the base, %",
  ...cells(results, ({ crpsOverBase }) => gainText(crpsOverBase)),
];
const brierRow = (results: readonly HorizonResults[]): readonly string[] => [
  "Brier of touch odds better than the base rate, %",
  ...cells(results, ({ brierOverBase }) => gainText(brierOverBase)),
];
const calibrationRow = (results: readonly HorizonResults[]): readonly string[] => [
  "calibration error of touch odds, points",
  ...cells(results, ({ calibration }) => percent(calibration)),
];

/** Returns the table of the method as the product uses it. */
export const mainTable = ({ paths }: Section): string =>
  tableOf(head(""), [
    ...coverRows(paths),
    worstRow(paths, 0.8),
    worstRow(paths, 0.9),
    crpsRow(paths),
    [
      "CRPS better than a 60-day normal, %",
      ...cells(paths, ({ crpsOverNormal }) => gainText(crpsOverNormal)),
    ],
    brierRow(paths),
    calibrationRow(paths),
    ["of levels above, points", ...cells(paths, ({ calibrationAbove }) => percent(calibrationAbove))],
    ["of levels below, points", ...cells(paths, ({ calibrationBelow }) => percent(calibrationBelow))],
    [
      "Brier of direction better than the base rate, %",
      ...cells(paths, ({ riseOverBase }) => gainText(riseOverBase)),
    ],
  ]);

/** Returns the table of a variant: fewer bars, or the closed form. */
export const variantTable = (results: readonly HorizonResults[]): string =>
  tableOf(head(""), [
    ...coverRows(results),
    worstRow(results, 0.9),
    crpsRow(results),
    brierRow(results),
    calibrationRow(results),
  ]);

/** Returns the table of the three worst years of the 80 and 90 % ranges. */
export const yearsTable = ({ paths }: Section): string =>
  tableOf(
    head(""),
    ([0.8, 0.9] as const).flatMap((range) =>
      Array.from({ length: WORST_YEARS }, (_, rank) => [
        `${100 * range} % range, ${["worst", "second worst", "third worst"][rank]} year`,
        ...cells(paths, ({ years }) => yearText(years[COVERS.indexOf(range)]![rank])),
      ]),
    ),
  );

/** Returns the reliability table by tenths of the odds: mean odds, share that happened and count. */
export const reliabilityTable = ({ paths }: Section): string =>
  tableOf(
    ["odds, %", ...HORIZONS.flatMap((horizon) => [`${horizon} bars: forecast`, "happened", "n"])],
    Array.from({ length: 10 }, (_, i) => [
      `${10 * i} to ${10 * i + 10}`,
      ...HORIZONS.flatMap((horizon) => {
        const bin = paths.find((each) => each.horizon === horizon)?.bins[i] ?? null;
        return bin === null
          ? ["-", "-", "0"]
          : [percent(bin.forecast), percent(bin.happened.value), fixedText(bin.count, 0)];
      }),
    ]),
  );

/** Returns the table of the ATR plans. */
export const planTable = ({ plans }: Section): string =>
  tableOf(
    [
      "side",
      "plans",
      "stop first, odds %",
      "happened %",
      "target first, odds %",
      "happened %",
      "Brier better than the base rate, %",
      "better than the share, %",
      "expected R",
      "realised R",
      "correlation",
    ],
    plans.map(planRow),
  );

const planRow = (result: PlanResults): readonly string[] => [
  result.side ?? "both",
  fixedText(result.plans, 0),
  percent(result.stopOdds),
  percent(result.stopped),
  percent(result.odds),
  percent(result.happened),
  gainText(result.brierOverBase),
  gainText(result.brierOverShare),
  signedR(result.expectedR),
  signedR(result.r),
  result.correlation === null ? "-" : fixedText(result.correlation, 2),
];
const signedR = (value: number): string => `${value < 0 ? "" : "+"}${fixedText(value, 2)}`;

/** Returns the table of the calibration errors of plans, by side and method. */
export const calibrationTable = ({ planCalibrations }: Section): string =>
  tableOf(
    ["side", "odds from", "stop first, error in points", "target first, error in points"],
    planCalibrations.map(({ side, method, stop, target }) => [
      side,
      method,
      ...[stop, target].map((error) => intervalText(error, percent)),
    ]),
  );

/** Returns the table of the differences between the odds of the same plans. */
export const differenceTable = ({ planDifferences }: Section): string =>
  tableOf(
    [
      "odds from",
      "compared with",
      "plans",
      ...["stop", "target"].flatMap((end) => [
        `${end} first: mean, points`,
        "expected from sampling noise",
        "largest",
      ]),
    ],
    planDifferences.map(({ methods, plans, stop, target }) => [
      ...methods,
      fixedText(plans, 0),
      ...[stop, target].flatMap(differenceCells),
    ]),
  );
const differenceCells = ({ mean, sampling, largest }: Difference): readonly string[] =>
  [mean, sampling, largest].map((figure) => percent(figure));

/** Returns the table of the coverage of `range_position`, by class of symbols and scale. */
export const rangeTable = (
  rows: readonly { readonly name: string; readonly range: RangeResults }[],
): string =>
  tableOf(
    ["coverage of the 90 % range, %", "scale", ...head("").slice(1)],
    rows.flatMap(({ name, range: { scales, coverage } }) => {
      const rowOf = (kind: string, scale: string, text: (coverage: RangeCoverage) => string) => [
        `${name}, ${kind}`,
        scale,
        ...HORIZONS.map((horizon) => {
          const found = coverage.find((each) => each.horizon === horizon);
          return found === undefined ? "-" : text(found);
        }),
      ];
      return [
        rowOf("forecasts", "", ({ forecasts }) => fixedText(forecasts, 0)),
        rowOf("shipped scale", decimals(CLOSE_SCALE), ({ shipped }) => intervalText(shipped, percent)),
        ...(scales === null
          ? []
          : [rowOf("early scale", scaleText(scales.early), (each) => intervalText(each.early!, percent))]),
      ];
    }),
  );
const decimals = (figure: number | null): string => (figure === null ? "-" : fixedText(figure, 2));
export const scaleText = (scale: Estimate): string => intervalText(scale, decimals);

/** Returns the bounds that are expected of the figures of a section. */
export const boundsTable = (section: Section): string =>
  tableOf(
    head("expected"),
    checkedOf(section).map(({ name, bounds }) => [name, ...bounds.map(boundsText)]),
  );
