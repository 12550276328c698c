import { z } from "zod";
import { IMPLIED_BARS } from "../src/analytics/odds/implied.ts";
import { MAX_HORIZON } from "../src/analytics/odds/paths.ts";
import { ODDS_BARS } from "../src/analytics/odds/range-model.ts";
import { oddsPng } from "../src/charts/odds-chart.ts";
import {
  Alternatives,
  AsOf,
  Caveats,
  Detail,
  Iso,
  intBetween,
  MarketMode,
  named,
  StaleNotes,
  Success,
  SymbolText,
} from "../src/domain/answers.ts";
import { Timeframe, TimeframeText } from "../src/domain/market/bars.ts";
import { AssetClass, SAMPLE_LABEL } from "../src/domain/market/market.ts";
import { BarsProvenance, provenanceOf } from "../src/domain/market/provenance.ts";
import { Media } from "../src/domain/media.ts";
import { LevelText } from "../src/domain/odds/level-text.ts";
import { OddsAnswer } from "../src/domain/odds/odds.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { oddsAt } from "../src/features/odds/answer.ts";
import { coverageNotes } from "../src/features/odds/coverage-notes.ts";
import { barsWithin, DEFAULT_HORIZON } from "../src/features/odds/horizon-in.ts";
import { formatOdds } from "../src/features/odds/odds.text.ts";
import { readOdds } from "../src/features/odds/read-odds.ts";
import { barNotes, oddsBarNotes } from "../src/features/signal/bar-notes.ts";
import { staleBarNotes, withStaleNotes } from "../src/features/signal/notes.ts";
import { requestedTime } from "../src/features/signal/past-time.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Numbers of bars of the ranges by detail; those of `full` are dense enough for a chart. */
const RANGE_BARS = {
  concise: [5, IMPLIED_BARS, MAX_HORIZON],
  full: [1, 2, 3, 5, 10, 15, IMPLIED_BARS, 30, 40, 50, MAX_HORIZON],
} as const;
const MAX_LEVELS = 12;

/** Returns calibrated price ranges and touch odds of one symbol. */
export const getOdds = defineTool({
  name: "get_odds",
  title: "Get odds",
  description:
    "Forecasts how far the price of one US stock, ETF or crypto pair may move within weeks, with no view on direction: expected range, likelihood of touching a level, odds whether stop or target comes first, realized against implied volatility. Use it for the chance to reach a price by next month, how wide to set a stop, or how volatile it will be. For a buy or sell verdict use get_signal.",
  topics: [
    "expected range",
    "expected move",
    "price forecast",
    "chance of reaching",
    "stop or target first",
    "realized volatility",
    "volatility forecast",
    "how wide a stop",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/odds/:symbol",
  cli: { command: "odds", everyday: "Forecasts how far a price may move within weeks." },
  needs: ["symbols", "bars", "clock", "market", "compute", "flowDays", "chains", "oddsLog", "answers"],
  input: z.strictObject({
    symbol: SymbolText,
    timeframe: TimeframeText.default("1d"),
    horizon: intBetween(1, MAX_HORIZON).default(DEFAULT_HORIZON).describe("Bars ahead"),
    within: ofKind(z.string().trim().max(60), "duration")
      .optional()
      .describe("Instead of horizon: 2 weeks, by Friday"),
    levels: z.array(LevelText).max(MAX_LEVELS).default([]).describe("Levels; 5%: both sides"),
    stop: LevelText.optional(),
    target: LevelText.optional(),
    as_of: AsOf.optional(),
    picture: z.boolean().default(false).describe("true: draw ranges and levels"),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    timeframe: Timeframe,
    horizon: z.number().int(),
    ...OddsAnswer.shape,
    notes: Caveats,
    stale_notes: StaleNotes,
    asset_class: AssetClass,
    venue: z.string(),
    source: z.string().describe("Provider of the bars; `sample` is simulated"),
    market: MarketMode,
    data_as_of: Iso.describe("Close time of the last bar; no input is later"),
    provenance: BarsProvenance,
    alternatives: Alternatives,
    media: Media.extend({ mime: z.literal("image/png") }).optional(),
  }),
  examples: [
    { ask: "How far may Apple move in the next 20 days?", input: { symbol: "AAPL" } },
    {
      ask: "How likely is Nvidia to touch 5% up or down within two weeks?",
      input: { symbol: "NVDA", horizon: 10, levels: ["+5%", "-5%"] },
    },
    {
      ask: "Bitcoin with a stop 4% below and a target 8% above: which comes first?",
      input: { symbol: "BTC-USD", stop: "-4%", target: "+8%" },
    },
    {
      ask: "Draw how far Microsoft may move in 60 days, with 10% up as a level",
      input: { symbol: "MSFT", horizon: 60, levels: ["+10%"], picture: true },
    },
  ],
  terminal: formatOdds,
  view: { name: "odds", calls: ["get_history", "get_odds"] },

  async handler(
    { symbol, timeframe, within, levels, stop, target, as_of, picture, detail = "full", ...rest },
    ctx,
  ) {
    const { clock, market, signal } = ctx;
    const now = clock.now();
    const subject = { assetClass: ctx.symbols.resolve(symbol).instrument.asset_class, timeframe };
    const at = requestedTime(as_of, now);
    const { bars: horizon, notes } =
      within === undefined
        ? { bars: rest.horizon, notes: [] }
        : barsWithin(within, { ...subject, now: new Date(at) });
    // a client may send the default of every field
    if (rest.horizon !== horizon && rest.horizon !== DEFAULT_HORIZON)
      throw new ToolError("INVALID_INPUT", `horizon is ${rest.horizon} bars, but within is ${horizon} bars`, {
        hint: "Pass only one of horizon and within.",
      });
    const shown = horizonsOf(detail, horizon);
    const horizons = picture ? horizonsOf("full", horizon) : shown;
    const request = { symbol, timeframe, horizon, horizons, levels, stop, target, as_of, signal };
    const { resolution, series, fields } = await readOdds({ ...request, limit: ODDS_BARS }, ctx);
    const { instrument, alternatives } = resolution;
    const { asset_class } = instrument;
    if (as_of === undefined)
      ctx.oddsLog.record({
        symbol: instrument.symbol,
        asset_class,
        timeframe,
        decided_at: series.as_of,
        bars: series.bars,
      });
    const simulated = market.mode === "sample" ? SAMPLE_LABEL : null;
    return {
      symbol: instrument.symbol,
      timeframe,
      horizon,
      ...(picture ? oddsAt(fields, shown) : fields),
      ...withStaleNotes(staleBarNotes({ closed: series.as_of, at, timeframe, asset_class }), [
        ...notes,
        ...barNotes(series),
        ...oddsBarNotes(series),
        ...coverageNotes({ timeframe, decidedAt: series.as_of, past: as_of !== undefined }),
      ]),
      asset_class,
      venue: series.venue,
      source: series.source,
      market: market.mode,
      data_as_of: series.as_of,
      provenance: provenanceOf(
        series,
        { as_of: series.as_of, delay_minutes: null, adjustment: series.adjustment, now },
        "compact",
      ),
      alternatives: alternatives.map(named),
      // rounded as in the answer, so that the picture shows the same numbers
      ...(picture && {
        media: await oddsPng({ instrument, series, odds: OddsAnswer.parse(fields), horizon, simulated }, ctx),
      }),
    };
  },
});

const horizonsOf = (detail: keyof typeof RANGE_BARS, horizon: number): readonly number[] =>
  [...new Set([...RANGE_BARS[detail], horizon])].sort((a, b) => a - b);
