import type { Reader } from "./reader.ts";
import { because, dollars, from, listed, show, type Teller } from "./told.ts";

/** Number of drivers shown on each side. */
const SHOWN = 2;

/** What a verdict rests on, the heaviest drivers of either side, and the price that would turn it. */
export const toldExplanation: Teller = (answer, symbol) => {
  const drivers = answer
    .list("drivers")
    .map((one) => ({
      id: one.text("id"),
      in_words: one.reason("in_words"),
      contribution: one.number("contribution", 3),
    }))
    .filter((one) => one.contribution !== null && one.in_words !== null);
  const side = (sign: 1 | -1) =>
    drivers
      .filter((one) => one.contribution! * sign > 0)
      .toSorted((a, b) => (b.contribution! - a.contribution!) * sign)
      .slice(0, SHOWN);
  const figures = {
    direction: answer.text("direction"),
    grade: answer.text("grade"),
    score: answer.number("score"),
    reason: answer.reason("reason"),
    up: side(1),
    down: side(-1),
    flip: turnIn(answer),
    source: answer.text("source"),
    as_of: answer.moment("data_as_of"),
  };
  const { flip, up, down, direction } = figures;
  const words = (rows: typeof up) =>
    rows.length === 0 ? "nothing" : listed(rows.map(({ in_words }) => in_words!));
  const turn =
    flip.price === null
      ? (flip.reason?.replace(/[.]$/, "") ?? "No close near changes it")
      : `A close at ${dollars(flip.price)}, ${flip.change_percent === null ? "" : `${Math.abs(flip.change_percent)} percent ${flip.change_percent < 0 ? "lower" : "higher"}, `}would make it ${flip.direction}`;
  return {
    figures,
    sentence: `The verdict on ${symbol} is ${direction}${because(figures.reason, ": ")}. What speaks most for a rise: ${words(up)}. What speaks most for a fall: ${words(down)}. ${turn} ${from(figures.source, figures.as_of)}.`,
  };
};

const turnIn = (answer: Reader) => ({
  price: answer.price("flip.price"),
  direction: answer.text("flip.direction"),
  change_percent: answer.number("flip.change_percent"),
  reason: answer.reason("flip.reason"),
});

/** The gap between the odds of crowds and the tone of news. */
export const toldEdge: Teller = (answer, symbol) => {
  const figures = {
    type: answer.text("type"),
    score: answer.number("score"),
    actionability: answer.text("actionability"),
    market_probability_percent: answer.number("marketProbability"),
    news_probability_percent: answer.number("newsSentiment"),
    divergence_points: answer.number("divergence"),
    source: answer.text("markets.source"),
    as_of: answer.moment("as_of"),
    reason: answer.reason("null_reason"),
  };
  const head = `The edge on ${symbol}`;
  if (figures.type === null)
    return {
      figures,
      sentence: `${head} has no verdict${because(figures.reason, ": ")} ${from(figures.source, figures.as_of)}.`,
    };
  return {
    figures,
    sentence: `${head} is ${figures.type}, score ${show(figures.score)}, actionability ${figures.actionability}: markets say ${show(figures.market_probability_percent)} percent and news ${show(figures.news_probability_percent)}, a gap of ${figures.divergence_points === null ? "unknown size" : `${Math.abs(figures.divergence_points)} points`}; which of the two is right nobody has shown ${from(figures.source, figures.as_of)}.`,
  };
};
