import type { Skill } from "../told/tellers.ts";
import { NOWHERE } from "./nowhere.ts";

/**
 * What may be asked of an instrument that is no part of its signal: in words of ours, by which words it is asked, the tool that
 * has it, null where none has, and what of it that tool has where that is not the thing itself.
 */
export type Row = readonly [label: string, words: RegExp, tool: Skill | Elsewhere | null, has?: string];

/** Tools that are named to whoever asks, and not asked for them. */
export type Elsewhere =
  | "get_history"
  | "run_backtest"
  | "render_chart"
  | "get_track_record"
  | "get_enhanced_signal"
  | "preview_trade";

/** Labels that the reading of a question speaks of. */
export const REASONS = "the reasons of the verdict";
export const TURN = "what would turn the verdict";
export const EDGE = "an edge";
export const PRICE = "the price";
export const PRICE_CHANGE = "how a price has moved";
export const TODAY = "the change of today";
export const TO_COME = "a price to come";
export const AVERAGES = "averages of price";
export const MARKET_MOVE = "how far the whole market has moved";
export const OTHER_DAY = "the hours of the day asked for";
export const ECONOMY = "the economy";
export const POSITION = "the size of a position";
export const EXPLAINED = "what the verdict rests on";

const VERDICT =
  "wait|long|short(?! (?:interest|squeeze|sell|volume|float))|buy|sell|hold|signal|graded?|score[ds]?|scoring|rat(?:ed|ing)|verdict|call(?! (?:option|volume|buy|skew))|bullish|bearish|neutral|(?:an?|grade) (?:[a-d][+-]?|f)(?= ?[?.!,]|$)";
const ROSE =
  "up|down|rise|risen|rose|fall|fallen|fell|gain(?:ed)?|lost|lose|drop(?:ped)?|climb(?:ed)?|(?:out|under)?perform(?:ed)?|beat(?:en)?|return(?:ed)?|hit|reach(?:ed)?|touch(?:ed)?|doubled?|tripled?|crash(?:ed)?|moved?|done";

/** What tools here have. */
const SERVED: readonly Row[] = [
  [
    POSITION,
    /\b(how many (shares|coins|contracts)|how much (of|money|should i (buy|put|invest))|position siz\w+|kelly)\b/i,
    "preview_trade",
    "it, step by step, for a connected broker",
  ],
  [REASONS, new RegExp(`\\b(why|how come)\\b.{0,60}?\\b(${VERDICT})(?![\\w-])`, "i"), "explain_signal"],
  [
    EXPLAINED,
    /\b(explain\w*|explanation|rationale|reason(s|ing)? (for|behind|of)|justif\w+|break ?down|drivers?|grounds)\b|\bbehind (the|its|this|that)( \w+)? (signal|call|rating|score|verdict|grade)\b/i,
    "explain_signal",
  ],
  [
    TURN,
    /\b(flip\w*|invalidat\w+|what (would|could|will) (it take|make|turn|change)|(turns?|turned|turning|switch(es)?|becomes?) (in)?(to )?(an? )?(long|short|buy|sell|wait|bullish|bearish))\b/i,
    "explain_signal",
  ],
  [
    EDGE,
    /(?<!\b(cutting|leading|bleeding)[ -])\bedge\b|\bmispric\w+|\bodds\b.{0,30}\b(fair|wrong|off|too (high|low))\b/i,
    "detect_edge",
  ],
  [
    "indicators",
    /\b(rsi|macd|atr|average true range|over-? ?(sold|bought)|relative strength index|indicators?|technicals?)\b/i,
    "get_analysis",
  ],
  [
    "the stage, Wyckoff and Elliott",
    /\b(wyckoff|elliott|wave (count|[1-5abc])|weinstein|which stage|what stage|stage of|wave (pattern|structure)|(accumulation|distribution|mark-?(up|down)) phase|in (accumulation|distribution)|upthrust)\b/i,
    "get_analysis",
  ],
  [
    "patterns",
    /\b(patterns?|head and shoulders|cup and handle|double (top|bottom)s?|wedges?|triangles?|doji|engulfing|hammer|candlesticks?)\b/i,
    "get_analysis",
  ],
  [
    "highs and lows of a year",
    /\b(52|fifty.two)[ -]?w(ee)?ks?\b|\b(yearly|annual|year('s)?|12.month) (lows?|highs?|range)\b/i,
    "get_analysis",
  ],
  [
    AVERAGES,
    /\b(\d+|fifty|two hundred)[ -]?(day|d|week|bar)s?('s)? (simple |exponential |moving )*(average|ma|sma|ema)\b|\bmoving averages?\b|\b[se]ma\b|\b(golden|death) cross\b/i,
    "explain_signal",
    "where the close stands against them",
  ],
  [
    "other indicators",
    /\b(bollinger|stochastics?|adx|cci|vwap|ichimoku|supertrend|obv|mfi|fib(onacci)?|pivots?|parabolic|donchian|keltner|aroon)\b/i,
    "explain_signal",
    "the indicators its drivers use",
  ],
  [
    "tier, confidence and reward to risk",
    /\b(reward.{1,4}risk|risk.{1,4}reward|r:r|rr|confidence|tier)\b/i,
    "get_signal",
  ],
  [
    "risk",
    /(?<!\breward.{1,4})\b(risk(s|y|ier|iest)?(?!.{1,4}(reward|on|off)\b)|safe(r|st|ty)?|dangerous)\b/i,
    "get_analysis",
    "its risks in words",
  ],
  ["volatility", /(?<!implied )\b(volatil\w+)\b/i, "get_analysis", "the average range of a bar"],
  ["institutional conviction", /\b(ics|(institutional|smart.money) conviction)\b/i, "get_darkpool_prints"],
  [
    "support and resistance",
    /\b(support (and|or|levels?|zones?|lines?)|(key|next|near\w*|strong\w*|major|where is|what is).{0,20} support|resistance)\b/i,
    "get_darkpool_prints",
    "the levels of large prints of a stock",
  ],
  [
    "short interest",
    /\b(short(ed)? (interest|float|squeeze|ratio)|days to cover|shares short|borrow (fee|rate|cost)|shorted)\b/i,
    "get_darkpool_prints",
    "the daily short volume of a stock",
  ],
  [
    PRICE,
    /(\b(prices?|quotes?) (of|for|on|right now|now)\b|\b(higher|highest|lower|lowest) (share |stock )?price\b|\b(price|quote)\W*$|^\W*(price|quote)\b(?! (targets?|history|action|in)\b)|\b(current|latest|live|last|stock|share|spot) (price|quote)\b|\bhow much (is|are|does|do)\b.{0,30}(\b(cost|worth|trading|now|right now|go for|going for)\b|\W*$)|\bwhat (does|do) .{1,30} cost\b|\b(trading|trades?) at\b|\b(is|are|'s) .{1,20} at (right now|now|the moment|today)\b)(?<!\b(was|were|will|would|could|target|strike|stop|entry|limit|exercise|fair|high|low|why)\b.{0,40})/i,
    "get_quote",
  ],
  [
    "volume",
    /(?<!\b(options?|calls?|puts?|short|dark.?pool|off.exchange|block) )\b(volume|turnover|liquidity|shares? traded)\b/i,
    "get_quote",
  ],
  [
    TODAY,
    /\b(up|down|gain\w*|los[ets]+|drop\w*|ris(e|en|ing)|fall\w*|fell|rose|moved?|change[ds]?|jump\w*)\b.{0,20}\btoday\b|\btoday's (change|move|gain|loss|range|high|low|open)\b/i,
    "get_quote",
  ],
  [
    PRICE_CHANGE,
    new RegExp(
      `\\b(which|who) (of \\S+ )?(fell|rose|gained|lost|dropped|climbed|moved|went (up|down)|did (better|worse))\\b|\\b(was|were|did|has|have)\\b.{0,40}\\b(${ROSE}|go up|go down|gone (up|down))\\b(?!.{0,12}\\b(today|earnings|estimates|expectations)\\b)|\\bshould (i|we) have (bought|sold|held|shorted)\\b|\\b(ytd|year.to.date|(annual|yearly|monthly|weekly|total|\\d.(year|month|week)) returns?|returns? (of|on|over|since)|(price|past) (history|performance)|historical prices?|performance|how much .{0,30}since|(out|under)perform\\w*)\\b`,
      "i",
    ),
    "get_history",
    "the bars",
  ],
  [
    TO_COME,
    /\b(predict(s|ed|ions?)?(?! markets?)|forecasts?|price (in|by) 20\d\d|price targets?\b.{0,40}\b(next|20\d\d|years?|months?|weeks?)\b|will .{0,40}\b(go|be|move) (up|down|higher|lower)\b|will .{0,40}\b(rise|fall|drop|climb|rally|recover)\b|(what|where) (will|would|could) .{0,60}\b(be|cost|trade|reach|hit|worth|price)\b|where (is|are) .{0,40}\b(going|headed|heading)\b|how (high|far|low) (will|can|could|would)|when (will|would|does|is) .{0,60}\b(reach|hit|be|cross|get to|touch|break|double|recover|bottom|crash|moon)\b|will .{0,40}\b(double|triple|crash|recover|10x|moon)|(price|worth) (tomorrow|next (week|month|year)|in \w+ years?))\b/i,
    "get_prediction_markets",
    "the odds that crowds give",
  ],
  [
    "fundamentals",
    /\b(fundamentals?|profits?|profitab\w+|margins?|net income|ebitda|cash ?flows?|debts?|balance sheet|income statement|roe|roic|assets|sales growth|guidance)\b/i,
    "get_earnings",
    "figures of the last report",
  ],
  [
    "drawdown and Sharpe ratio",
    /\b(drawdowns?|sharpe|sortino|calmar)\b/i,
    "run_backtest",
    "those of a strategy",
  ],
  [
    "a backtest",
    /\bback.?test\w*\b|\btest (a|the|my|this|an) (\w+ )?(strategy|rule)\b|\b(if i('d| had)?|had i) (bought|invested|sold|shorted|put)\b|\bwould (have|i have) (made|returned|earned)\b/i,
    "run_backtest",
  ],
  [
    "a picture",
    /\b(draw|plot|picture|screenshot|graph|visuali[sz]e)\b|\b(show|give|send|see|display)\b.{0,20}\bchart\b|^\W*(\w+ )?charts? (of|for)\b|\bcandle(stick)? chart\b/i,
    "render_chart",
  ],
  [
    "how often signals were right",
    /\b(track record|how (accurate|reliable|often right)|(hit|win|success) rate|accuracy)\b/i,
    "get_track_record",
  ],
  [
    "one signal of all sources",
    /\b(combined|composite|enhanced|blended|fused) (signal|score|rating|view)\b/i,
    "get_enhanced_signal",
  ],
  ["open interest", /\bopen interest\b/i, "get_options_flow"],
  ["gamma exposure", /\b(gamma|gex)\b/i, "get_options_flow"],
  ["skew", /\bskew\b/i, "get_options_flow"],
  ["sweeps", /\bsweeps?\b/i, "get_options_flow"],
  ["implied volatility", /\b(implied vol\w*|iv(?! rank))\b/i, "get_options_flow"],
  ["the expected move", /\b(expected|implied) moves?\b/i, "get_options_flow"],
  [
    "the largest trades in options",
    /\b(largest|biggest|top) (options? (trades?|bets?|contracts?|orders?)|(calls?|puts?) (trades?|bets?|orders?))\b/i,
    "get_options_flow",
  ],
  ["upside", /\b(upside|downside)\b/i, "get_signal", "the targets of a trade"],
  [
    MARKET_MOVE,
    /\b(is|are|was|were|did|has|have|how far) (the )?(stock |crypto |us )*markets? (up|down|higher|lower|green|red|do|done|rise|fall|close|move|gain|rall\w+|crash\w*|tank\w*|drop\w*)\b/i,
    "get_quote",
    "the change of a fund of it, such as SPY",
  ],
  [
    OTHER_DAY,
    /\b(tomorrow|next \w+|(on|this) (mon|tues|wednes|thurs|fri|satur|sun)day|on [a-z]+ \d|on \d+)\b/i,
    "get_calendar",
    "other dates",
  ],
  [
    ECONOMY,
    /\b(recessions?|inflation|cpi|ppi|gdp|unemployment|fomc|fed|interest rates?|rate (cut|hike)s?|mortgage rates?)\b|\b(treasury|bond|\d+.year( (treasury|bond|note))?) (yields?|rates?)\b/i,
    "get_prediction_markets",
    "odds on some of its events",
  ],
];

/** What tools here have, and what none has. */
export const ROWS: readonly Row[] = [
  ...SERVED,
  ...NOWHERE.map(([label, words]): Row => [label, words, null]),
];
