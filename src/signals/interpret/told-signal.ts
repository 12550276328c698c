import { isOld } from "../notes.ts";
import type { Reader } from "./reader.ts";
import { because, from, type ListAsked, show, type Teller } from "./told.ts";

/** The verdict of a symbol with its levels. */
export const toldSignal: Teller = (answer, symbol, brief) => {
  const figures = {
    direction: answer.text("data.signal.direction"),
    grade: answer.text("data.signal.grade"),
    score: answer.number("data.signal.score"),
    price: answer.price("data.price"),
    source: answer.text("data.source"),
    as_of: answer.moment("data_as_of"),
    ...(isOldOf(answer) && { bars_as_of: answer.moment("data.bars.as_of") }),
  };
  const levels = {
    timeframe: answer.text("data.signal.timeframe"),
    entry_low: answer.price("data.signal.entry_zone.low"),
    entry_high: answer.price("data.signal.entry_zone.high"),
    stop: answer.price("data.signal.stop_loss"),
    target: answer.price("data.signal.targets.0"),
    levels_basis: answer.text("data.signal.levels_basis"),
    side: sideOf(answer),
  };
  const { direction, grade, score, price, source, as_of } = figures;
  const verdict = `grade ${show(grade)}, score ${show(score)}`;
  const old =
    figures.bars_as_of === undefined
      ? ""
      : `, as of old bars, the newest of which closed ${figures.bars_as_of}`;
  const priced = `price ${show(price)} ${from(source, as_of)}`;
  if (brief) return { figures, sentence: `${symbol} is ${direction}${old}: ${verdict}, ${priced}.` };
  const isWatch = levels.levels_basis === "watch";
  const watch = isWatch ? ", levels for watching only" : "";
  const lead = isWatch && levels.side !== null ? `watched as a ${levels.side}: ` : "";
  return {
    figures: { ...figures, ...levels },
    sentence: `${symbol} is ${direction} on ${levels.timeframe} bars${old}: ${verdict}; ${lead}entry ${show(levels.entry_low)} to ${show(levels.entry_high)}, stop ${show(levels.stop)}, first target ${show(levels.target)}${watch}; ${priced}.`,
  };
};

/** Whose levels they are: the stop of a short lies above its entry. */
function sideOf(answer: Reader): "long" | "short" | null {
  const [stop, low, high] = ["stop_loss", "entry_zone.low", "entry_zone.high"].map((name) =>
    answer.number(`data.signal.${name}`, 12),
  );
  if (stop == null || low == null || high == null) return null;
  return stop > high ? "short" : stop < low ? "long" : null;
}

/** Whether the bars say little about the moment they are told at. */
function isOldOf(answer: Reader): boolean {
  const [closed, now] = [answer.text("data.bars.as_of"), answer.text("server_time")];
  return closed !== null && now !== null && isOld(closed, new Date(now));
}

/** The best lines of the newest nightly run, or of a scan. */
const toldLines =
  (path: string, score: string, when: string): Teller =>
  (answer, _symbol, _brief, _asked, list = { shown: SHOWN }) => {
    const { shown } = list;
    const all = answer.list(path).map((line) => ({
      symbol: line.text("symbol"),
      direction: line.text("bias"),
      grade: line.text("grade"),
      score: line.number(score),
      close: line.price("close"),
      as_of: line.moment("as_of"),
      source: line.text("source"),
    }));
    const lines = narrowed(all, list);
    const [first] = lines;
    const told = lines
      .slice(0, shown)
      .map(
        (line) => `${line.symbol} ${line.direction}, grade ${show(line.grade)}, score ${show(line.score)}`,
      );
    const run = answer.moment("runs.0.runAt");
    return {
      figures: { lines: lines.slice(0, shown), run },
      sentence:
        first === undefined
          ? all.length === 0
            ? "No symbol passes what was asked for."
            : `${when}: none of ${all.length} passes what was asked for ${from(all[0]!.source, all[0]!.as_of)}.`
          : `${when}${run === null ? "" : ` of ${run}`}: ${told.join("; ")} ${from(first.source, first.as_of)}.`,
    };
  };
const SHOWN = 5;

interface Line {
  readonly direction: string | null;
  readonly grade: string | null;
  readonly score: number | null;
}

/** The lines that were asked for, of an answer that was not narrowed to them. */
function narrowed<L extends Line>(
  lines: readonly L[],
  { bias, grade, min_score, weakest }: ListAsked,
): readonly L[] {
  const kept = lines.filter(
    (line) =>
      (bias === undefined || line.direction === bias) &&
      (grade === undefined || line.grade === grade) &&
      (min_score === undefined || (line.score !== null && line.score >= min_score)),
  );
  return weakest === true ? kept.toReversed() : kept;
}

export const toldScreen = toldLines("results", "overallScore", "The newest nightly run");
export const toldScan = toldLines(
  "results",
  "score",
  "No nightly run has finished yet; a scan of some of the symbols of this market",
);

/** The mood of the market. */
export const toldIndex: Teller = (answer) => {
  const figures = {
    value: answer.number("value"),
    band: answer.text("band"),
    as_of: answer.moment("as_of"),
  };
  const source = "nightly run";
  const reason = figures.value === null ? answer.reason("notes.0") : null;
  return {
    figures: { ...figures, source, reason },
    sentence:
      figures.value === null
        ? `The Signal Index has no value${because(reason ?? "Too few of its parts have data", ": ")} ${from(source, figures.as_of)}.`
        : `The Signal Index stands at ${figures.value}, ${figures.band?.toLowerCase().replaceAll("_", " ")} ${from(source, figures.as_of)}.`,
  };
};
