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
];

/** Whether the weakest is asked for first. */
export const asksWeakest = (query: string): boolean => ASCENDING.test(query) && !DESCENDING.test(query);

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
      `${called(first)} has the ${place} score, ${first.score}, ${beside} ${listed(others)}.`,
      ...(untold.length === 0 ? [] : [`The score does not tell ${listed(untold)}.`]),
    ].join(" "),
  };
}
