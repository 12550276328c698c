import { editDistance } from "../lib/edit-distance.ts";

/** Meaning of a field, worded for error messages. */
export type Meaning = "a symbol" | "a time" | "a side" | "a filter" | "a key" | "a format";

/** Words in the names of fields whose omission would answer another request. */
const WORDS: Readonly<Record<Meaning, string>> = {
  "a symbol":
    "sym syms symbol symbols ticker tickers instrument instruments asset assets pair pairs coin coins stock stocks isin cusip",
  "a time":
    "asof date dates datetime time timestamp from to since until till before after start end begin ending day days hour hours week weeks month months quarter year years period periods range window lookback horizon timeframe interval tf expiry expiration expires when granularity resolution bar bars barsize candle candles frequency freq sessions minute minutes daily weekly monthly hourly yesterday today ago length timeperiod dte tenor duration moment epoch ts asofdate fecha desde hasta periodo datum zeitraum",
  "a side":
    "side direction bias action position buy sell long short bullish bearish signal signals right put puts call calls transaction transactions",
  "a filter":
    "filter filters where only exclude without except sector sectors industry category class kind type exchange market venue country region currency tier tiers grade grades stage phase status state party chamber min max minimum maximum above below over under gt lt gte lte threshold sort order rule rules condition conditions criteria watchlist portfolio universe account connection cursor page offset skip sentiment politician politicians member members representative senator lawmaker insider insiders person author publisher topic topics keyword keywords tag tags search contains delta gamma theta vega moneyness strike strikes index indices",
  "a format": "format",
  "a key": "apikey key token auth authorization password secret",
};

/** Names that have a meaning only by themselves, not as part of another name. */
const WHOLE_NAMES: ReadonlyMap<string, Meaning> = new Map([
  ["at", "a time"],
  ["on", "a time"],
  ["query", "a filter"],
  ["name", "a filter"],
  ["names", "a filter"],
]);

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(WORDS).flatMap(([meaning, words]) =>
    words.split(" ").map((word) => [word, meaning as Meaning] as const),
  ),
);
/** Of several meanings of a name the first counts: `order_side` is a side, `asset_class` a filter. */
const BY_WEIGHT: readonly Meaning[] = ["a key", "a format", "a time", "a side", "a filter", "a symbol"];
/** Length from which a word with one wrong letter still counts. */
const MISSPELT_LENGTH = 5;

/** Returns the meaning of a name in snake case; null if dropping the field cannot change the answer. */
export function meaningOf(name: string): Meaning | null {
  const whole = WHOLE_NAMES.get(name);
  if (whole !== undefined) return whole;
  const meanings = new Set([...name.split("_"), name.replaceAll("_", "")].map(meaningOfWord));
  return BY_WEIGHT.find((meaning) => meanings.has(meaning)) ?? null;
}

function meaningOfWord(word: string): Meaning | undefined {
  const exact = MEANINGS.get(word);
  if (exact !== undefined || word.length < MISSPELT_LENGTH) return exact;
  const near = [...MEANINGS].find(([known]) => known.length >= 4 && editDistance(word, known, 1) <= 1);
  return near?.[1];
}
