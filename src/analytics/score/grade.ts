/** Grades from the most to the least attractive for the long side. */
export const GRADES = ["A+", "A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-", "F"] as const;
export type Grade = (typeof GRADES)[number];

/** Cuts at or above which the grade is earned. */
const FROM = [
  [0.7, "A+"],
  [0.65, "A"],
  [0.55, "A-"],
  [0.45, "B+"],
  [0.35, "B"],
  [0.25, "B-"],
  [0.1, "C+"],
] as const;
/** Cuts strictly above which the grade is earned, mirroring the upper half. */
const ABOVE = [
  [-0.1, "C"],
  [-0.25, "C-"],
  [-0.5, "D+"],
  [-0.6, "D"],
  [-0.7, "D-"],
] as const;

/**
 * Returns the grade of a weighted sum `s` in [-1, 1]: how attractive the long side is. The cuts were chosen from the
 * distribution of `s`, never from returns.
 */
export function gradeOf(s: number): Grade {
  const upper = FROM.find(([cut]) => s >= cut) ?? ABOVE.find(([cut]) => s > cut);
  return upper === undefined ? "F" : upper[1];
}
