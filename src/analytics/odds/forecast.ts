import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { HorizonForecast, OddsForecast } from "../../domain/odds/forecast.ts";
import type { Horizon } from "../../domain/track-record/track.ts";
import { CLOSED_FORM_BARS } from "./closed-form.ts";
import { oddsOf } from "./odds.ts";

/** Numbers of bars of a forecast. */
const FORECAST_BARS: readonly Horizon[] = CLOSED_FORM_BARS;

/** Levels whose odds are scored, as changes from the close. Stored forecasts rely on their order. */
export const TOUCH_LEVELS = {
  5: [-0.05, -0.02, 0.02, 0.05],
  20: [-0.1, -0.05, 0.05, 0.1],
  60: [-0.2, -0.1, 0.1, 0.2],
} as const satisfies Record<Horizon, readonly number[]>;

/** Number of paths of a stored forecast. */
const FORECAST_PATHS = 2_000;

interface ForecastRequest {
  /** Closed bars; the last one is the decision bar. */
  readonly bars: Bars;
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** Odds of the levels of the signal; null without. */
  readonly plan: OddsForecast["plan"];
}

/**
 * Returns the odds to be stored at the last bar, by 2,000 paths; null with too few bars or a suspected split. Uses no
 * data after it.
 */
export function pathForecast({ plan, ...subject }: ForecastRequest): OddsForecast | null {
  const close = subject.bars.close.at(-1) ?? Number.NaN;
  const changes = [...new Set(FORECAST_BARS.flatMap((horizon) => TOUCH_LEVELS[horizon]))];
  const levels = changes.map((change) => close * (1 + change));
  const { odds } = oddsOf({ ...subject, horizons: FORECAST_BARS, levels, paths: FORECAST_PATHS });
  if (odds === null) return null;
  const logsOf = (prices: readonly number[]) => prices.map((price) => shortLog(Math.log(price / close)));
  const horizons = odds.horizons.map(({ quantiles, baseQuantiles }, i): HorizonForecast => {
    const bars = FORECAST_BARS[i]!;
    const touches = TOUCH_LEVELS[bars].map((change) => odds.levels[changes.indexOf(change)]!.touch[i]!);
    return {
      bars,
      quantiles: logsOf(quantiles),
      baseQuantiles: baseQuantiles && logsOf(baseQuantiles),
      touch: touches.map((touch) => percent(touch.odds)),
      baseTouch: baseQuantiles && touches.map(({ base }) => percent(base!)),
    };
  });
  return { version: odds.version, horizons, plan };
}

const shortLog = (value: number): number => Math.round(value * 1e5) / 1e5 + 0;
const percent = (share: number): number => Math.round(share * 100) / 100;
