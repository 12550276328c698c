import type { SkillCall } from "../skill-calls.ts";
import type { AnswerReader } from "./answer-reader.ts";
import { percent } from "./contract-choice.ts";

/** Matches the lines of the tool's text that answer a part of a question; a range is in its first line. */
const LINES: Partial<Readonly<Record<NonNullable<SkillCall["part"]>, RegExp>>> = {
  plan: /, target in /,
  levels: / is touched within /,
  volatility: /^ *Annualized volatility/,
};

/** Returns the figures of get_odds at its horizon, and its text with the lines that answer the question first. */
export function priceOddsOf(
  answer: AnswerReader,
  text: string,
  part: SkillCall["part"],
): { readonly figures: Readonly<Record<string, unknown>>; readonly text: string } {
  const horizon = answer.number("horizon", 0);
  const range = answer.list("ranges").find((row) => row.number("bars", 0) === horizon);
  const plan = outcomesOf(answer, "plan");
  const levels = answer.list("levels");
  const figures = {
    from: answer.price("from"),
    horizon,
    timeframe: answer.text("timeframe"),
    low: range?.price("p5") ?? null,
    high: range?.price("p95") ?? null,
    base_low: range?.price("base.p5") ?? null,
    base_high: range?.price("base.p95") ?? null,
    ...(levels.length > 0 && { levels: levels.map((level) => touchOf(level, horizon)) }),
    ...(plan.target_first_percent !== null && {
      plan: {
        side: answer.text("plan.side"),
        stop: answer.price("plan.stop"),
        target: answer.price("plan.target"),
        ...plan,
        base: outcomesOf(answer, "plan.base"),
      },
    }),
    volatility_percent: answer.number("volatility.horizon_percent"),
    realized_volatility_percent: answer.number("volatility.realized_20_percent"),
    source: answer.text("source"),
    as_of: answer.moment("data_as_of"),
  };
  return { figures, text: withFirst(text, part === undefined ? undefined : LINES[part]) };
}

function touchOf(level: AnswerReader, horizon: number | null) {
  const touch = level.list("touch").find((row) => row.number("bars", 0) === horizon);
  return {
    price: level.price("price"),
    change_percent: level.number("change_percent"),
    touch_percent: percent(touch?.number("odds", 4) ?? null),
    base_percent: percent(touch?.number("base", 4) ?? null),
  };
}

const outcomesOf = (answer: AnswerReader, path: string) => ({
  stop_first_percent: percent(answer.number(`${path}.stop_first`, 4)),
  target_first_percent: percent(answer.number(`${path}.target_first`, 4)),
  neither_percent: percent(answer.number(`${path}.neither`, 4)),
});

/** Returns a text with the lines that match a pattern first. */
function withFirst(text: string, lines: RegExp | undefined): string {
  if (lines === undefined) return text;
  const all = text.split("\n");
  const first = all.filter((line) => lines.test(line)).map((line) => line.trim());
  return [...first, ...all.filter((line) => !lines.test(line))].join("\n");
}
