import { SECTOR_WORDS } from "./sectors.ts";

/** What a list is asked to be narrowed to that no screen does, in words of ours. */
const UNSERVED: readonly (readonly [label: string, words: RegExp])[] = [
  ["oversold", /\bover ?-?sold\b/i],
  ["overbought", /\bover ?-?bought\b/i],
  [
    "price",
    /\b(under|below|above|over|less than|more than|cheaper than|between|at most|at least|up to) ?(\$|usd ?)\d|\b(under|below|less than|cheaper than) (an? )?\d+(\.\d+)? ?(dollars?|bucks|usd)\b|\b(cheap(er|est)?|penny|expensive|priced|low.priced)\b/i,
  ],
  ["dividends", /\b(dividends?|high.yield\w*|yields?|yielding|income|aristocrats?)\b/i],
  [
    "highs and lows of a year",
    /\b(52|fifty.two)[ -]?w(ee)?ks?\b|\b(yearly|annual|year|multi.year) (lows?|highs?)\b/i,
  ],
  [
    "highs and lows",
    /\b(all.time|ath|record|new|recent) ?(lows?|highs?)\b|\bath\b|\b(bottomed|bottoming|topping)\b/i,
  ],
  [
    "size",
    /\b(large|mega|mid|small|micro|big)[ -]?caps?\b|\b(market caps?|blue.chips?|biggest|largest|smallest|giants?)\b/i,
  ],
  [
    "valuation",
    /\b(under|over)valued\b|\b(valuations?|value|p\/?e|peg|bargains?|cheap(er|est)?|price.to.\w+|book value|cash flow|debt)\b/i,
  ],
  ["growth", /\b(growth|growing|fast.growing|profitable|profits?|margins?|revenues?)\b/i],
  [
    "price change",
    /\b(gainers?|losers?|movers?|runners?|gappers?|gapp?(ing|ed)|performers?|performing|up|down|rising|falling|dropp\w+|rall\w+|crash\w+|dip(s|ped|ping)?|rip(ping)?|pumping|tanking|outperform\w*|underperform\w*|beaten.down|rebound\w*|fell|fallen|running|moving|jumped|gained|gaining) ?(\d+ ?(%|percent))?\b/i,
  ],
  ["volume", /\b(volume|liquid|illiquid|(most|heavily|actively) (active|traded)|most active)\b/i],
  ["volatility", /\b(volatil\w+|beta|atr)\b/i],
  ["risk", /\b(safe(r|st)?|risk(y|ier|iest)|low.risk|high.risk|defensive|stable|recession.proof)\b/i],
  [
    "an indicator",
    /\b(rsi|macd|ema|sma|moving averages?|golden cross|death cross|bollinger|vwap|crossovers?|adx|stochastics?)\b/i,
  ],
  [
    "a chart pattern",
    /\b(break(ing)? ?-?(out|down)s?|(?<!\b(?:short|could|might|may|can|will|to|about to)[ -])(?<!\bthat )squeez\w+|patterns?|flags?|wedges?|triangles?|head and shoulders|cup and handle|pullbacks?|consolidat\w+|double (top|bottom)s?|reversals?|support|resistance)\b/i,
  ],
  ["Elliott waves", /\b(elliott|waves?)\b/i],
  ["momentum", /\bmomentum\b/i],
  ["a trend", /\b(up|down)[ -]?trend\w*/i],
  ["sentiment", /\b(with|by|having|on) (\S+ ){0,3}(sentiment|mood)\b|\brisk.(on|off)\b/i],
  [
    "sectors as such",
    /(?<!\b(?:all|across|any|every|of|both) (?:the )?)\b(sectors|industries)\b|\b(best|strongest|hottest|weakest|worst|leading|which|what|top) (sector|industry)\b/i,
  ],
  [
    "a change since an earlier run",
    /\b(scores?|grades?|signals?|ratings?|bias|stage ?\d?)\b.{0,15}\b(improv\w+|ris(es|ing|en)|rose|fell|fall\w*|chang\w+|jumped|increas\w+|decreas\w+|flipp?\w*|turn\w*)\b|\b(just|newly|recently|flipped|turned|turning|new) (\S+ )?(long|short|bullish|bearish|stage)\b/i,
  ],
  [
    "short interest",
    /\b(most|heavily) shorted\b|\bshort (interest|float|ratio)\b|\b(?:short|could|might|may|can|will|to|that)[ -]squeez\w*|\bdays to cover\b/i,
  ],
  ["flow", /\b(insiders?|congress|unusual|whales?|dark.pools?|smart money|institution\w*|options?)\b/i],
  ["earnings", /\b(earnings|report(s|ing)?|beat(s|ing)?|guidance)\b/i],
  [
    "news",
    /\b(news|catalysts?|trending|buzz\w*|popular|meme|reddit|hyped?|upgrad\w+|downgrad\w+|analysts?)\b/i,
  ],
  ["an index", /\b(s&p( ?500)?|sp500|nasdaq(.100)?|dow( jones)?|russell( ?\d+)?|ftse)\b/i],
  [
    "a country",
    /\b(chinese|china|indian?|european?|europe|japan(ese)?|german\w*|uk|british|canad\w+|korean?|emerging)\b/i,
  ],
  [
    "a theme",
    /\b(ai|artificial intelligence|ev|evs|cannabis|marijuana|weed|defen[cs]e|quantum|robot\w*|cyber\w*|cloud|solar|nuclear|uranium|lithium|space|gaming|airlines?|ship\w+|esg|green|clean|crypto (stocks?|compan\w+)|defi|layer.?[12]|l[12]|stablecoins?|gold|min(ers?|ing))\b/i,
  ],
  [
    "a span of time",
    /\b(this|next|last|past) (week|month|year|quarter)\b|\b(day|swing) ?trad\w+|\b(long|short).term\b|\bretire\w+|\b(intraday|overnight|tomorrow)\b/i,
  ],
];
/** Words before `stocks` that ask for nothing of their own, or for what is served. */
const PLAIN =
  /^(the|a|an|all|any|some|of|in|to|for|us|u\.s|american|which|what|best|top|good|great|bad|worst|weak|weakest|strong|stronger|strongest|hot|hottest|highest|lowest|rated|ranked|scored|scoring|graded|long|short|bullish|bearish|buy|sell|more|most|other|these|those|few|several|many|my|your|and|or|individual|single|listed|traded|show|me|list|find|give|get|scan|screen|rank|name|pick|stage|\d+|[1-4]|one|two|three|four|five|six|seven|eight|nine|ten|today's|favou?rite|interesting|different|least|attractive|rank|every|are|is|with|no|not|tech|technology|semiconductors?|semis|chips?|software|financials?|banks?|banking|health|care|healthcare|pharma\w*|biotechs?|energy|oil|gas|utilit(y|ies)|industrials?|materials|estate|reits?|staples|discretionary|retail\w*|communications?|telecoms?|media|crypto\w*|etfs?|accumulation|distribution|mark-?up|mark-?down|uptrending|downtrending|[a-df][+-]?|grade|scores?|points?|hold|waits?|own|watch|trade|invest|avoid|from|about|on|by|at|into|out)$/i;
const KIND = "(?:stocks?|shares|equities|compan(?:y|ies)|coins?|tokens?|cryptos?|etfs?|funds?|names)";
const BEFORE = new RegExp(`([\\p{L}\\p{N}.'&+-]{1,30}) ${KIND}\\b`, "giu");
/** A word beside a sector, of which there is one known: `railroads or banks`. */
const BESIDE = new RegExp(
  `([\\p{L}'’-]{1,30}) or (?:${SECTOR_WORDS})\\b|\\b(?:${SECTOR_WORDS}) or ([\\p{L}'’-]{1,30})`,
  "giu",
);
const IS_KIND = new RegExp(`^${KIND}$`, "iu");
/** What is asked of the instruments themselves. */
const AFTER = new RegExp(`\\b${KIND} (?:that|with|whose|near|under|below|above|without|having)\\b`, "iu");
const SERVED_AFTER =
  /\b(that|with|whose|having|above|below|under) (?:\S+ ){0,3}(grades?|scores?|stage|bias|signals?|accumulation|distribution|mark-?up|mark-?down|reward|rr|r:r|long|short|are (?:in|the|good|best)|i|you|to)\b/i;
/** One that is told of no further: the words of a question stand in no answer. */
const OTHER = "a criterion that is not known here";

/** The criteria of a list that the screen does not have, each once. */
export function unservedIn(text: string): readonly string[] {
  const found = UNSERVED.filter(([, words]) => words.test(text)).map(([label]) => label);
  if (found.length > 0) return found;
  const odd = [...text.matchAll(BEFORE)].some(([, word]) => !PLAIN.test(word!.replace(/['’.]+$/, "")));
  const other = [...text.matchAll(BESIDE)].some(
    ([, before, after]) => !PLAIN.test(before ?? after!) && !IS_KIND.test(before ?? after!),
  );
  return odd || other || (AFTER.test(text) && !SERVED_AFTER.test(text)) ? [OTHER] : [];
}
