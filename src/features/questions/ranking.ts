import { EXPLAINED, PRICE, PRICE_CHANGE, REASONS, TURN } from "./asked/besides.ts";
import { listed } from "./told/told.ts";

interface Compared {
  readonly symbol: string;
  readonly score: number | null;
  readonly direction: string | null;
}
interface Placed extends Compared {
  readonly score: number;
}

const SHOWN = 5;
const ASCENDING =
  /\b(shorts?|shorting|sell|selling|avoid|worst|worse|weak(er|est)?|bearish|lowest|dump|get rid of|drop|puts?|trim)\b/i;
const DESCENDING = /\b(buys?|buying|best|better|strong(er|est)?|bullish|highest|longs?|own)\b/i;
/** What is asked of two that the score says nothing about. */
const UNTOLD: readonly (readonly [string, RegExp])[] = [
  ["risk", /\b(risk(s|y|ier|iest)?|safe(r|st|ty)?|volatil\w+|dangerous|stable)\b/i],
  [
    "value",
    /\b(value|cheap(er|est)?|expensive|valuations?|(under|over)(valued|priced)|p\/?e|bargain|worth more)\b/i,
  ],
  ["size", /\b(bigger|biggest|larger|largest|smaller|smallest|size|market cap\w*)\b/i],
  [PRICE, /\b(prices?|priced|quotes?|costs? (?:more|most|less|least)|pricier|priciest)\b/i],
  [
    PRICE_CHANGE,
    /\b(fell|fallen|rose|risen|gained|lost|dropped|climbed|moved|jumped|grew|down|up) (the )?(more|most|less|least|further|furthest|harder|hardest|faster|fastest)\b|\b(more|most|less|least) (up|down)\b|\b(gainers?|losers?|returns?|returned|growth|grew|grown|doing better|did better|done better)\b/i,
  ],
  [
    "the date of a report",
    /\breport(s|ed|ing)? (\S+ )?(first|last|next|earlier|earliest|later|latest|sooner|soonest)\b|\bearnings (first|sooner|earlier|later)\b/i,
  ],
  ["popularity", /\b(popular|popularity|famous|well.known|talked about|hyped?|trending|favou?rites?)\b/i],
  [
    "the way that is left to go",
    /\b(upside|downside|potential|room to (run|grow|fall|rise)|undervalued by)\b/i,
  ],
  ["odds", /\b(odds|chances?|probable|probabilit\w+|likel(y|ier|iest|ihood))\b/i],
  ["age", /\b(older|oldest|younger|youngest)\b/i],
  ["volume", /\b(volume|turnover|liquidity|liquid|(most|more|heavily) traded|active)\b/i],
];

/** Whether the weakest is asked for first. */
export const asksWeakest = (query: string): boolean => ASCENDING.test(query) && !DESCENDING.test(query);

/** What is asked of one verdict while several are compared. */
const OF_VERDICTS: ReadonlySet<string> = new Set([REASONS, TURN, EXPLAINED]);

/** Whether the score is no answer: what is asked is neither it nor among what it is said not to tell. */
export const isOfElse = (labels: readonly string[]): boolean =>
  labels.some(
    (label) =>
      label === PRICE_CHANGE || (!OF_VERDICTS.has(label) && !UNTOLD.some(([untold]) => untold === label)),
  );

/** Of what is asked the score does not tell. */
export const untoldIn = (query: string): readonly string[] =>
  UNTOLD.filter(([, words]) => words.test(query)).map(([label]) => label);

/** Signals side by side, the strongest or the weakest first, with how far each is behind. */
export function toldRanking(
  signals: readonly Compared[],
  { weakest = false, untold = [] }: { readonly weakest?: boolean; readonly untold?: readonly string[] } = {},
) {
  const ranked = signals
    .filter((one): one is Placed => one.score !== null)
    .toSorted((a, b) => (weakest ? a.score - b.score : b.score - a.score));
  const [first] = ranked;
  if (first === undefined || ranked.length < 2) return null;
  const ranking = ranked.map(({ symbol, score }) => ({
    symbol,
    score,
    behind: Number(Math.abs(first.score - score).toFixed(1)),
  }));
  const called = ({ symbol, direction }: Compared) =>
    direction === null ? symbol : `${symbol} (${direction})`;
  const others = ranking.slice(1, SHOWN).map(({ behind }, i) => `${called(ranked[i + 1]!)} by ${behind}`);
  const [place, beside] = weakest
    ? ["lowest (most bearish)", "below"]
    : ["highest (most bullish)", "ahead of"];
  return {
    figures: { ranking },
    sentence: [
      ...(untold.length === 0 ? [] : [`The score does not tell ${listed(untold)}.`]),
      `${called(first)} has the ${place} score, ${first.score}, ${beside} ${listed(others)}.`,
    ].join(" "),
  };
}
