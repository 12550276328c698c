import { z } from "zod";
import { oddsBarsOf } from "../src/analytics/score/consensus.ts";
import { TIME_EXIT } from "../src/analytics/track/outcome.ts";
import {
  Alternatives,
  AsOf,
  Caveats,
  Detail,
  Iso,
  intBetween,
  MarketMode,
  named,
  outsideTextNotice,
  Success,
  SymbolText,
} from "../src/domain/answers.ts";
import { BarTimeframe, BarTimeframeText, isSignalTimeframe, TIMEFRAMES } from "../src/domain/market/bars.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { NEWS_HOURS, NEWS_OUTSIDE_TEXT } from "../src/domain/news/news.ts";
import { OddsAnswer } from "../src/domain/odds/odds.ts";
import { joinedBy } from "../src/domain/recognisers/field-kinds.ts";
import { SignalExplanation } from "../src/domain/signal/explanation.ts";
import {
  NewsMark,
  OffExchangePart,
  PageBars,
  PageIndicators,
  PagePrice,
  PageSignal,
  SymbolEvent,
} from "../src/domain/signal/symbol-page.ts";
import { startEventRisk } from "../src/features/earnings/event-risk.ts";
import { symbolEvents } from "../src/features/market-events/symbol-events.ts";
import { newsMarks } from "../src/features/news/marks.ts";
import { freshResult } from "../src/features/nightly/run-notes.ts";
import { coverageNotes } from "../src/features/odds/coverage-notes.ts";
import { oddsFrom } from "../src/features/odds/read-odds.ts";
import { readDarkPool } from "../src/features/off-exchange/answer.ts";
import { oddsBarNotes } from "../src/features/signal/bar-notes.ts";
import { explainPicture } from "../src/features/signal/explain-task.ts";
import { explanationOf } from "../src/features/signal/explanation.ts";
import { parseIndicators } from "../src/features/signal/indicator-series.ts";
import { explainOdds } from "../src/features/signal/odds-explanation.ts";
import { missingPart, type OptionalPart, optionalPart } from "../src/features/signal/optional-part.ts";
import { pageBars, pageIndicators, readPageBars } from "../src/features/signal/page-bars.ts";
import { requestedTime } from "../src/features/signal/past-time.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { type PricedPicture, pricedPictureOf, withoutPrice } from "../src/features/signal/price.ts";
import { conciseSignal, serveSignal } from "../src/features/signal/serve-signal.ts";
import { formatSymbolPage } from "../src/features/signal/symbol-page.text.ts";
import { pagePrice } from "../src/features/signal/symbol-price.ts";
import { defineTool } from "../src/kernel/tool.ts";

const DEFAULT_BARS = 250;
/** Maximum number of bars with detail concise: keeps the response under 2,000 tokens. */
const MAX_CONCISE_BARS = 20;
/** Numbers of bars of the ranges: one for each bar of the fan. */
const FAN_BARS = Array.from({ length: TIME_EXIT }, (_, i) => i + 1);
/** Why a concise answer has no bars, and why it lacks the long parts. */
const ON_REQUEST = "Only if the request states a number of bars, or with detail full";
const fullOnly = (tool: string) => missingPart(`Only with detail full, and in ${tool}`);
/** Maximum wait for parts that come with the bars and the signal, and for those of other providers, ms. */
const MAX_WAIT_MS = { core: 25_000, other: 2_500 } as const;
const MAX_NEWS = { concise: 3, full: 10 } as const;
const MAX_LEVELS = 20;
const LEVEL_DAYS_MS = 30 * 86_400_000;

const why = (what: string) => z.string().nullable().describe(`Why ${what} is null`);

/** Returns everything that is shown about one symbol, each part computed once. */
export const getSymbolPage = defineTool({
  name: "get_symbol_page",
  title: "Get symbol page",
  description:
    "Returns all data of a symbol page or dashboard about one US stock, ETF or crypto pair, in one call: full signal, bars, indicators, drivers, range ahead, off-exchange levels, next events, headlines, change since the previous close. Use it to build a dashboard or full overview; a missing part is null with a reason. For the verdict alone use get_signal.",
  topics: [
    "symbol page",
    "dashboard of a symbol",
    "everything about a symbol",
    "symbol overview",
    "all data on one stock",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/symbols/:symbol",
  listed: "toolset",
  cli: { command: "symbol" },
  needs: [
    ...PICTURE_PORTS,
    "quotes",
    "signalLog",
    "trackRecord",
    "earnings",
    "marketDays",
    "marketEvents",
    "log",
    "answers",
  ],
  input: z.object({
    symbol: SymbolText,
    timeframe: BarTimeframeText.default("1d"),
    as_of: AsOf.optional(),
    bars: intBetween(1, 1_000)
      .optional()
      .describe(`Default: ${DEFAULT_BARS}. With detail concise: none, at most ${MAX_CONCISE_BARS}.`),
    indicators: joinedBy(z.string().trim().min(1).max(200), ", ")
      .default("rsi(14), macd(12,26,9)")
      .describe("As in get_indicators"),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    name: z.string().describe("Of the company, fund or coin"),
    asset_class: AssetClass,
    sector: z.string().nullable(),
    venue: z.string().nullable().describe("Exchange of the bars"),
    currency: z.string(),
    timeframe: BarTimeframe,
    as_of: Iso.nullable().describe("Nothing is later; null: newest data"),
    price: PagePrice,
    bars: PageBars.nullable(),
    bars_reason: why("bars"),
    indicators: PageIndicators.nullable(),
    indicators_reason: why("indicators"),
    signal: PageSignal.nullable().describe("data of get_signal"),
    signal_reason: why("signal"),
    explanation: SignalExplanation.nullable().describe("As in explain_signal"),
    explanation_reason: why("explanation"),
    odds: OddsAnswer.nullable().describe("As in get_odds: range of each bar ahead; levels: stop and targets"),
    odds_reason: why("odds"),
    off_exchange: OffExchangePart.nullable(),
    off_exchange_reason: why("off_exchange"),
    events: z.array(SymbolEvent).nullable().describe("Next events, by date"),
    events_reason: why("events"),
    outside_text: outsideTextNotice(NEWS_OUTSIDE_TEXT),
    news: z.array(NewsMark).nullable().describe(`Of the last ${NEWS_HOURS} hours, newest first`),
    news_reason: why("news"),
    notes: Caveats,
    market: MarketMode,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "Everything about Apple for a dashboard", input: { symbol: "AAPL" } },
    {
      ask: "The whole page on bitcoin's 4-hour chart with a 50-bar average",
      input: { symbol: "BTC-USD", timeframe: "4h", indicators: "sma(50)", bars: 100 },
    },
    {
      ask: "What did the symbol page of SPY show at the end of 2025?",
      input: { symbol: "SPY", as_of: "2025-12-31", bars: 60 },
    },
  ],
  terminal: formatSymbolPage,

  async handler({ symbol, timeframe, as_of, indicators, detail = "full", ...shown }, ctx) {
    const { clock, compute, market, signal } = ctx;
    const requested = parseIndicators(indicators, timeframe);
    const resolution = ctx.symbols.resolve(symbol);
    const { instrument, alternatives } = resolution;
    const at = requestedTime(as_of, clock.now());
    const past = as_of !== undefined;
    const full = detail === "full";
    const withBars = full || shown.bars !== undefined;
    const count = full ? (shown.bars ?? DEFAULT_BARS) : Math.min(shown.bars ?? 1, MAX_CONCISE_BARS);
    const core = { ms: MAX_WAIT_MS.core, signal, log: ctx.log };
    const other = { ...core, ms: MAX_WAIT_MS.other };

    const barsRequest = { timeframe, as_of, count, indicators: requested };
    const pendingBars = optionalPart("bars", core, (stop) =>
      readPageBars(resolution, { ...barsRequest, signal: stop }, ctx),
    );
    const pendingDaily = optionalPart("daily", core, async (stop) => {
      if (timeframe === "1d") return (await pendingBars).value?.series ?? null;
      const daily = { timeframe: "1d", limit: 3, signal: stop, ...(past && { asOf: at }) } as const;
      return ctx.bars.history(instrument, daily);
    });
    const pendingLevels = full
      ? optionalPart("off_exchange", other, (stop) =>
          readDarkPool(
            instrument,
            { since: at - LEVEL_DAYS_MS, signal: stop, ...(past && { asOf: at }) },
            ctx,
          ),
        )
      : fullOnly("get_darkpool_prints");
    const pendingNews = optionalPart("news", other, (stop) =>
      newsMarks(instrument, { at, limit: MAX_NEWS[detail], signal: stop }, ctx),
    );
    const risk = startEventRisk({ symbol, as_of, signal }, ctx);
    const picture: OptionalPart<PricedPicture> = isSignalTimeframe(timeframe)
      ? await optionalPart("signal", core, (stop) =>
          pricedPictureOf({ symbol, timeframe, as_of, signal: stop }, ctx),
        )
      : missingPart(`There are no signals on ${timeframe} bars, only on ${TIMEFRAMES.join(", ")}`);
    const bars = await pendingBars;
    const series = picture.value?.series ?? bars.value?.series ?? null;
    const event_risk =
      series === null
        ? null
        : await risk({ resolution, timeframe: picture.value?.timeframe ?? "1d", series });
    const of = <T>(name: string, read: (found: PricedPicture, stop: AbortSignal) => Promise<T>) =>
      picture.value === null
        ? missingPart(picture.reason)
        : optionalPart(name, core, (stop) => read(picture.value, stop));
    const ofFull: <T>(tool: string, ...part: Parameters<typeof of<T>>) => ReturnType<typeof of<T>> = (
      tool,
      ...part
    ) => (full || picture.value === null ? of(...part) : fullOnly(tool));
    const [served, explanation, odds, events, levels, news, daily] = await Promise.all([
      of("signal", async (found) => {
        const newest = past ? null : await ctx.engineRuns.latest(instrument.symbol, found.timeframe);
        const engine = freshResult(newest, clock.now());
        const request = { past, full, provenance: "compact", event_risk: event_risk!, engine } as const;
        const data = await serveSignal(found, request, ctx);
        return full ? data : conciseSignal(data);
      }),
      ofFull("explain_signal", "explanation", async (found, stop) => {
        const [explained, changes] = await Promise.all([
          explainPicture(found, { compute, signal: stop }),
          explainOdds(found, { full: true, signal: stop }, { compute }),
        ]);
        return { ...explanationOf(found, explained, { now: clock.now(), full: true }), ...changes };
      }),
      ofFull("get_odds", "odds", async (found, stop) => {
        const { stop: stopPrice, targets } = found.consensus.levels;
        const request = {
          timeframe: found.timeframe,
          horizon: TIME_EXIT,
          horizons: FAN_BARS,
          levels: [stopPrice, ...targets].map(String),
          stop: String(stopPrice),
          target: String(targets[0]),
          decidedAt: found.decidedAt,
          signal: stop,
        };
        return oddsFrom(instrument, oddsBarsOf(found.input), request, ctx);
      }),
      optionalPart("events", other, (stop) =>
        symbolEvents(instrument, { at, past, risk: event_risk, signal: stop }, ctx),
      ),
      pendingLevels,
      pendingNews,
      pendingDaily,
    ]);
    const price = picture.value?.price ?? withoutPrice(picture.reason);
    return {
      symbol: instrument.symbol,
      name: instrument.name,
      asset_class: instrument.asset_class,
      sector: instrument.sector,
      venue: series?.venue ?? null,
      currency: series?.currency ?? instrument.currency,
      timeframe,
      as_of: past ? new Date(at).toISOString() : null,
      price: pagePrice(instrument, { price, daily: daily.value, at }),
      bars: withBars && bars.value ? pageBars(bars.value, timeframe) : null,
      bars_reason: withBars ? bars.reason : (bars.reason ?? ON_REQUEST),
      indicators: bars.value && pageIndicators(bars.value, { requested, full }),
      indicators_reason: bars.reason,
      signal: served.value,
      signal_reason: served.reason,
      explanation: explanation.value,
      explanation_reason: explanation.reason,
      odds: odds.value,
      odds_reason: odds.reason,
      off_exchange: levels.value && {
        levels: levels.value.levels.slice(0, MAX_LEVELS),
        conviction: levels.value.conviction,
        coverage: levels.value.coverage,
      },
      off_exchange_reason: levels.reason,
      events: events.value && [...events.value.events],
      events_reason: events.value === null ? events.reason : events.value.notes.join(". ") || null,
      news: news.value?.rows ?? null,
      news_reason: news.value === null ? news.reason : news.value.reason,
      notes:
        odds.value === null || picture.value === null
          ? []
          : [
              ...oddsBarNotes({ bars: oddsBarsOf(picture.value.input) }),
              ...coverageNotes({
                timeframe: picture.value.timeframe,
                decidedAt: picture.value.decidedAt,
                past,
              }),
            ],
      market: market.mode,
      alternatives: alternatives.map(named),
    };
  },
});
