import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GRADES } from "../../src/analytics/score/grade.ts";
import {
  HORIZONS,
  type Horizon,
  type ScoredSignal,
  type TrackRow,
} from "../../src/domain/track-record/track.ts";
import { pngOf } from "../../src/lib/png.ts";
import { testData } from "../support/test-data.ts";
import { calibrationOf, type Forecast, forecastsOf } from "./track/forecasts.ts";
import { heldOutFiles } from "./track/held-out.ts";
import { heldOutResults } from "./track/over-base.ts";
import { type HorizonResults, pageText, type Results } from "./track/page.ts";
import { pictureOf } from "./track/picture.ts";
import { ratesBy, ratesOf, withPeerMeans } from "./track/rates.ts";
import { reliabilitySvg } from "./track/reliability.ts";
import { type ReplayedFiles, replayedFiles } from "./track/replayed.ts";

const DOCS = join(import.meta.dirname, "../../docs/results");
/** Grades of the upper and lower half; C+ is in neither. */
const UPPER = GRADES.slice(0, GRADES.indexOf("B-") + 1);
const LOWER = GRADES.slice(GRADES.indexOf("C"));

/**
 * Replays every close of the real daily files and prints the results of the signals; `npm run bench -- track --write`
 * writes them to docs/results/track-record.md with a picture. Daily CSV files of the folder in MARKET_SIGNAL_HELD_OUT are
 * shown beside them. Fails if forecasts computed here differ from the published record.
 */
export async function run(): Promise<void> {
  const folder = testData("ohlcv");
  if (folder === null) {
    console.log("No real files here: set MARKET_SIGNAL_TEST_DATA.");
    process.exitCode = 1;
    return;
  }
  const own = join(folder, "us_daily");
  const replayed = await replayedFiles([
    { kind: "us_daily", path: own },
    { kind: "crypto_daily", path: join(folder, "crypto_daily") },
  ]);
  const heldOut = await heldOutFiles(own);
  const results = resultsOf(replayed, heldOut === null ? null : heldOutResults(heldOut));
  const page = pageText(results);
  console.log(page);
  const png = await pngOf(reliabilitySvg(pictureOf(results)));
  if (!process.argv.includes("--write")) return;
  writeFileSync(join(DOCS, "track-record.md"), `${page}\n`);
  writeFileSync(join(DOCS, "track-record.png"), png);
}

function resultsOf(
  { report, scored, stocks, coins }: ReplayedFiles,
  heldOut: Results["overBase"]["heldOut"],
): Results {
  const { record, moments, signals, until, model_version } = report;
  if (record === null) throw new Error("No signal has an outcome");
  const horizonOf = (horizon: Horizon): HorizonResults => {
    const outcomes = withPeerMeans(scored, horizon);
    const forecasts = forecastsOf(scored, horizon);
    check(forecasts, record.rows);
    const halfOf = (grade: (typeof GRADES)[number] | null) =>
      grade === null ? null : UPPER.includes(grade) ? "A+ to B-" : LOWER.includes(grade) ? "C to F" : null;
    return {
      all: ratesOf(outcomes),
      grades: ratesBy(outcomes, ({ grade }) => grade),
      halves: new Map(
        [...ratesBy(outcomes, ({ grade }) => halfOf(grade))].sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      directions: ratesBy(outcomes, ({ direction }) => direction),
      calibration: calibrationOf(forecasts),
    };
  };
  const [five, twenty, sixty] = HORIZONS.map(horizonOf);
  return {
    stocks,
    coins,
    moments,
    signals,
    until,
    model: model_version,
    rows: record.rows,
    overBase: { own: record.r_over_base ?? [], heldOut },
    from: {
      stocks: firstDay(scored, (one) => one.asset_class !== "crypto"),
      coins: firstDay(scored, (one) => one.asset_class === "crypto"),
    },
    day: new Date().toISOString().slice(0, 10),
    horizons: { 5: five!, 20: twenty!, 60: sixty! },
  };
}

/** Date of the first matching signal. */
const firstDay = (scored: readonly ScoredSignal[], of: (one: ScoredSignal) => boolean): string =>
  new Date(scored.find(of)?.at ?? Number.NaN).toISOString().slice(0, 10);

/** Throws if the two ways of computing the scores disagree. */
function check(forecasts: readonly Forecast[], rows: readonly TrackRow[]): void {
  for (const { grade, direction, asset_class, horizon, brier } of rows) {
    if (direction === "WAIT" || horizon !== forecasts[0]?.horizon) continue;
    const group = `${direction}|${grade}`;
    const own = forecasts.filter((one) => one.asset_class === asset_class && one.group === group);
    const again =
      own.reduce((sum, { forecast, rose }) => sum + (forecast - (rose ? 1 : 0)) ** 2, 0) / own.length;
    if (brier === null || !(Math.abs(again - brier) <= 1e-9))
      throw new Error(`${asset_class} ${group} after ${horizon} bars: ${brier} published, ${again} here`);
  }
}
