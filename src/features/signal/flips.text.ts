import { driverName } from "../../analytics/drivers/table.ts";
import type { explanationOf } from "./explanation.ts";

type Explanation = ReturnType<typeof explanationOf>;
type GradeFlip = Omit<Explanation["grade_flip"]["better"], "reason">;
/** The part of an explanation that says what would change the signal. */
export interface Flips {
  readonly grade_flip: { readonly better: GradeFlip; readonly worse: GradeFlip };
  readonly flip: Omit<Explanation["flip"], "searched_low" | "searched_high">;
  readonly fewest_absent: {
    readonly drivers: readonly string[] | null;
    readonly direction: string | null;
    readonly reason: string | null;
  };
}

/** Formats what would change a verdict: nearest closes for direction and grade, and the smallest set of drivers. */
export function formatFlips({ flip, grade_flip, fewest_absent }: Flips): readonly string[] {
  const { better, worse } = grade_flip;
  const grades = [better, worse].filter(({ price }) => price !== null);
  const { drivers } = fewest_absent;
  const gradeAt = (gradeFlip: GradeFlip) =>
    `${at(gradeFlip, flip.tick)} makes the grade ${gradeFlip.grade ?? "none"}`;
  return [
    flip.price === null
      ? `the direction stays: ${lower(flip.reason)}`
      : `a close at ${at(flip, flip.tick)} makes it ${flip.direction}: ${lower(flip.reason)}`,
    ...(grades.length === 0 ? [] : [`a close at ${grades.map(gradeAt).join(", at ")}`]),
    drivers === null
      ? lower(fewest_absent.reason)
      : `without the driver${drivers.length === 1 ? "" : "s"} ${drivers.map(driverName).join(" and ")} it is ${fewest_absent.direction}`,
  ];
}

const lower = (text: string | null): string =>
  text === null ? "" : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Formats a price at tick precision with its percentage change. */
function at(
  { price, change_percent }: Pick<GradeFlip, "price" | "change_percent">,
  tick: number | null,
): string {
  const percent = change_percent ?? 0;
  const digits = Math.min(20, Math.max(2, Math.round(-Math.log10(tick ?? 0.01))));
  return `${(price ?? 0).toFixed(digits)} (${percent >= 0 ? "+" : ""}${percent.toFixed(2)}%)`;
}
