import { type Asked, any } from "./asked.ts";

/** What is listed, by its kind. */
const KIND =
  "stocks?|coins?|cryptos?|altcoins?|tokens?|etfs?|funds?|names?|companies|sectors?|shares|large caps|small caps|banks?|insurers?|airlines?|chipmakers?|automakers?|retailers?|miners?|utilities|reits?|semis|semiconductors";
const SUPERLATIVE =
  "best|strongest|weakest|hottest|worst|cheapest|safest|riskiest|biggest|highest|lowest|fastest|hardest|steepest|greatest|largest|leading|top|most \\S+|least \\S+";
/** Of what kind and which: `crypto with grade A+`, `banks rated B`, `coins that are not short`, `stocks except energy`. */
const NARROWED = new RegExp(
  ` (${KIND}) (?:\\S+ ){0,1}(with|whose|having|graded|rated|scoring|in (?:stage|phase|accumulation|distribution|markup|markdown)|not (?:in|rated|graded)|except|excluding|without|other than|apart from|aside from|that (?:are|have)|under a|above a|below a) `,
);
/** Questions with a verb of their own. */
const QUESTION = /^ (?:(?:is|are) (?!there )|should|will|would|does|do|did|can|could|why|how|when|i |we )/;

const LISTS = any(
  / (scan|scans|scanner|screen|screens|screener|screening|rank|ranks|ranked|ranking|rankings|sort|sorted|filter|leaderboard|movers?|gainers?|losers?|gappers?|runners?|watchlist ideas|trade ideas?|ideas|setups|picks|candidates|opportunities|top signals) /,
  / top \d+ /,
  / (list|show|find|give|get|name|pull|fetch|return) (?:me |us )?(?:\S+ ){0,2}(a|an|some|all|every|any|the best|stocks|coins|tickers|names|symbols|cryptos|etfs|setups|signals|tokens|companies) /,
  new RegExp(
    ` (${SUPERLATIVE}) (?:\\S+ ){0,3}(stocks?|coins?|cryptos?|tokens?|names?|etfs?|sectors?|signals?|setups?|charts?|plays?|trades?|shorts?|longs?|buys?|industry|industries|altcoins?|performers?|companies|momentum|funds?|tickers?|symbols?|out of|among|of these|of them|of the|in the|on the|picks?) `,
  ),
  / (which|what) (?:\S+ ){0,2}(stocks?|coins?|names?|crypto|cryptos|tokens?|tickers?|etfs?|symbols|sectors?|company|companies|banks|altcoins?|ones|funds|shares|charts|large caps|small caps|streamers|techs?) /,
  / (anything|something|whats|what|any|stuff) (?:\S+ ){0,2}(oversold|overbought|bullish|bearish|breaking|running|moving|popping|hot|good to buy|worth buying|to buy|to short|trending|ripping|pumping|cheap|interesting|squeezing) /,
  / (most|least) (oversold|overbought|bullish|bearish|volatile|active|shorted|undervalued|traded|momentum) /,
  / any (?:\S+ ){0,2}(shorts|longs|setups|breakouts|stocks|coins|names|plays|trades|buys|signals|ideas|dips|bargains) /,
  / (oversold|overbought|bullish|bearish|undervalued|dividend|growth|value|momentum|penny|tech|ai|chip|bank|energy|crypto|trending|hot) (names|stocks|coins|etfs|setups|plays|tokens|cryptos|tickers) /,
  / what (?:should|can|could|do|to) (?:i |we )?(buy|trade|short|invest|scalp|swing) /,
  / where (?:should|can) i (put|invest) /,
  // `worst 3 banks`, `3 worst banks`, `lowest rated coins`
  new RegExp(` (${SUPERLATIVE}) (?:\\d+ |rated |graded |ranked |scoring ){0,2}(${KIND}) `),
  new RegExp(` (bullish|bearish|oversold|overbought|strong|weak|long|short) (${KIND}) `),
  / (who|what) is (?:\S+ )?(leading|lagging|winning|ripping|running|hot|pumping|moving|green|red|trending|strongest|weakest) /,
  / (today's|market) (movers|leaders|laggards) /,
  / (?:near|at|around|hitting|making|close to|new) (?:\S+ )?(?:52|fifty two|52-?w(?:ee)?ks?|fifty-two-week) ?(?:week |weeks |wk )?(?:low|lows|high|highs) /,
);
/** Whether a list is asked for: `best tech stocks`, `crypto with grade A+`, `worst 3 banks`. */
export const SCAN = (asked: Asked): boolean =>
  LISTS(asked) || (NARROWED.test(asked.said) && !QUESTION.test(asked.said));

/** Whether several that are named are to be put in order. */
export const RANKS_NAMED = any(
  / (rank|sort|order by|order them|screen|filter|list|ranking|strongest first|weakest first) /,
  new RegExp(
    ` (${SUPERLATIVE}) (?:\\S+ ){0,3}(out of|among|of these|of them|sector|sectors|first|coins?|stocks?|names?) `,
  ),
  / (which|what) (?:\S+ ){0,2}(banks|stocks|coins|names|sectors?|etfs|cryptos|streamers|ones) /,
);
