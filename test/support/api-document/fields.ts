import { z } from "zod";

/** Fields as the API document types them; a response may have more fields. */
export const shape = z.looseObject;
export const num = z.number();
export const text = z.string().min(1);
export const texts = z.array(text);
export const time = z.iso.datetime();
export const day = z.iso.date();
export const whole = z.number().int().nonnegative();
export const ok = z.literal(true);
/** A value of 0 to 100. */
export const scale = z.number().min(0).max(100);

export const direction = z.enum(["LONG", "SHORT", "WAIT"]);
export const tier = z.enum(["HOT", "WATCH", "NEUTRAL"]);
export const grade = z.string().regex(/^(A\+|[A-D][+-]?|F)$/);

/** Price plan of cards, scans and screens. */
const plan = { entry: num, stop: num, target: num, rr: num };

/** Lines 40-69. */
export const signal = shape({
  success: ok,
  request_id: z.uuid(),
  server_time: time,
  data_as_of: time,
  data: shape({
    price: z.number().positive(),
    price_source: z.literal("live_quote"),
    asset_class: text,
    venue: text,
    engine_available: z.boolean(),
    signal: shape({
      symbol: text,
      timeframe: z.literal("1d"),
      direction,
      score: num.nullable(),
      grade: grade.nullable(),
      confidence: num,
      entry_zone: shape({ low: num, high: num }),
      stop_loss: num,
      targets: z.array(num),
      reward_to_risk: num,
      component_scores: shape({
        trend: num.nullable(),
        momentum: num.nullable(),
        volume: num.nullable(),
        relative_strength: num.nullable(),
        volatility: num.nullable(),
      }),
      ics: shape({ currentScore: scale, conviction: text, source: text }),
      ics_score: scale,
      model_version: text,
    }),
  }),
});

/** Line 16: without a valid count there is no path. */
const wave = z.union([
  shape({ label: text, target: num, invalidation: num }),
  shape({ label: z.null(), target: z.null(), invalidation: z.null() }),
]);

/** Line 79. */
const card = {
  direction,
  confidence: num,
  tier,
  ics: shape({ score: scale, conviction: text }),
  wyckoff: shape({ phase: text, narrative: text }),
  ...plan,
};
const wrapped = shape({ ...card, elliottWave: wave });
export const legacyCard = shape({ ok, symbol: text, data: wrapped, ...card, wave });
/** Line 172: "signal-shaped demo payload". */
export const demo = shape({ ok, symbol: text, data: wrapped });

/** Lines 81-96. */
export const quote = shape({
  ok,
  symbol: text,
  asset_class: text,
  venue: text,
  data: shape({
    price: z.number().positive(),
    change: num,
    changePercent: num,
    volume: num,
    high: num,
    low: num,
    open: num,
    source: text,
    timestamp: time,
  }),
});

/** Line 100. */
export const health = shape({
  ok,
  status: z.literal("healthy"),
  providers: z.array(shape({ name: text, healthy: z.boolean(), latency_ms: num })),
  meta: shape({ api_version: z.literal("v1"), engine_version: text, checked_at: time }),
});

/** Line 104. */
export const historyOf = (tf: string, datetime: z.ZodType = time) =>
  shape({
    ok,
    symbol: text,
    tf: z.literal(tf),
    count: whole.max(500),
    bars: z
      .array(shape({ datetime, open: num, high: num, low: num, close: num, volume: num }))
      .min(1)
      .max(500)
      .refine((bars) => isSorted(bars.map((bar) => Date.parse(String(bar.datetime)))), "newest first"),
  }).refine(({ count, bars }) => count === bars.length, "count is the number of bars");

/** True if no number is larger than the one before. */
export const isSorted = (values: readonly number[]): boolean =>
  values.every((value, i) => i === 0 || value <= values[i - 1]!);

/** Lines 106-108. */
export const scan = shape({
  ok,
  results: z
    .array(shape({ symbol: text, tier, bias: direction, score: num, ...plan }))
    .refine((rows) => isSorted(rows.map((row) => row.score)), "strongest first"),
  count: whole,
  scanned: whole,
}).refine(({ count, results }) => count === results.length, "count is the number of results");

/** Lines 110-112. */
export const screener = shape({
  ok,
  total: whole.positive(),
  universe: text,
  results: z
    .array(
      shape({
        symbol: text,
        tier,
        bias: direction,
        overallScore: num,
        stage: z.int().min(1).max(4),
        actionCard: shape(plan),
      }),
    )
    .min(1)
    .refine((rows) => isSorted(rows.map((row) => row.overallScore)), "by overall score"),
});

/** Line 116. */
export const analysis = shape({
  ok,
  symbol: text,
  analysis: shape({
    summary: text,
    patterns: texts,
    sentiment: text,
    catalysts: texts,
    risks: texts,
    technicals: shape({
      rsi: scale,
      macd_cross: text,
      stage: z.int().min(1).max(4),
      above_30wma: z.boolean(),
    }),
  }),
});

const surprise = shape({ actual: num, estimate: num, surprisePct: num, result: text });
const delta = shape({
  name: text,
  unit: text,
  current: num,
  prior: num,
  changePct: num,
  direction: text,
  isMateriallyPositive: z.boolean(),
  isMateriallyNegative: z.boolean(),
});
/** Lines 118-137. */
export const earnings = shape({
  ok,
  symbol: text,
  companyName: text,
  period: text,
  reportDate: day,
  signal: z.string().regex(/^(STRONG_BEAT|BEAT|IN_LINE|MISS|STRONG_MISS)$/),
  signalScore: num,
  eps: surprise,
  revenue: surprise,
  adjustedEBITDA: num,
  adjustedFCF: num,
  kpiDeltas: z.array(delta),
  segmentDeltas: z.array(delta),
  bullishPoints: texts,
  bearishPoints: texts,
  dataSource: text,
  minutesSinceReport: whole,
  fetchedAt: time,
  cached: z.boolean(),
});

/** Line 141. */
export const edge = shape({
  type: text,
  score: num,
  actionability: text,
  marketProbability: scale,
  newsSentiment: scale,
  divergence: num,
  recommendation: text,
  reasoning: texts.min(1),
});

/** Line 145: a signal_analysis task returns Action Cards, ICS and Wyckoff data. */
const analysed = shape({
  data: shape({
    signal: shape({
      direction,
      grade,
      entry_zone: shape({ low: num, high: num }),
      stop_loss: num,
      targets: z.array(num),
      reward_to_risk: num,
      ics: shape({ currentScore: scale, conviction: text }),
    }),
    wyckoff: shape({ phase: text, narrative: text }),
  }),
});
export const task = shape({ ok, results: z.array(shape({ symbol: text, data: analysed })).length(1) });
/** Line 182: "signals, analysis, execution recommendations". */
export const routed = shape({
  ok,
  signals: z.array(shape({ symbol: text, bias: direction, score: num })).min(1),
  analysis: z.array(shape({ symbol: text, data: analysed })).min(1),
  recommendations: z.array(shape({})),
});
