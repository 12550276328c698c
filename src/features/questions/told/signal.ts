import { isOld } from "../../signal/notes.ts";
import type { Reader } from "./reader.ts";
import { because, dollars, from, show, type Teller } from "./told.ts";

/** The verdict of a symbol with its levels. */
export const toldSignal: Teller = (answer, symbol, brief, { asOf = null } = { level: null, query: "" }) => {
  const score = answer.number("data.signal.score");
  const figures = {
    direction: answer.text("data.signal.direction"),
    grade: answer.text("data.signal.grade"),
    score,
    ...(score === null && { reason: answer.reason("data.signal.reason") }),
    price: answer.price("data.price"),
    source: answer.text("data.source"),
    as_of: answer.moment("data_as_of"),
    ...(isOldOf(answer, asOf) && { bars_as_of: answer.moment("data.bars.as_of") }),
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
  const { direction, grade, price, source, as_of } = figures;
  const verdict = `grade ${show(grade)}, score ${show(score)}${because(figures.reason ?? null, ": ")}`;
  const old =
    figures.bars_as_of === undefined
      ? ""
      : `, as of old bars, the newest of which closed ${figures.bars_as_of}`;
  const priced = `price ${dollars(price)} ${from(source, as_of)}`;
  if (brief) return { figures, sentence: `${symbol} is ${direction}${old}: ${verdict}, ${priced}.` };
  const isWatch = levels.levels_basis === "watch";
  const watch = isWatch ? ", levels for watching only" : "";
  const lead = isWatch && levels.side !== null ? `watched as a ${levels.side}: ` : "";
  const plan =
    levels.entry_low === null && levels.stop === null
      ? "no levels"
      : `${lead}entry ${dollars(levels.entry_low)} to ${dollars(levels.entry_high)}, stop ${dollars(levels.stop)}, first target ${dollars(levels.target)}${watch}`;
  return {
    figures: { ...figures, ...levels },
    sentence: `${symbol} is ${direction} on ${levels.timeframe} bars${old}: ${verdict}; ${plan}; ${priced}.`,
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

const DAY = 86_400_000;

/** True if the bars are too old for the requested moment: the end of a requested past day, else now. */
function isOldOf(answer: Reader, asOf: string | null): boolean {
  const [closed, now] = [answer.text("data.bars.as_of"), answer.text("server_time")];
  const at = asOf === null ? now : new Date(Date.parse(asOf) + DAY).toISOString();
  return closed !== null && at !== null && isOld(closed, new Date(at));
}

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
