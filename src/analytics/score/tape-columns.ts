import { GRADES, type Grade } from "./grade.ts";

/** The signal at the close of each bar; columns are as long as the bars. */
export interface SignalTape {
  /** First bar with a value. */
  readonly first: number;
  /** 0-100, 50 neutral; NaN if unknown. */
  readonly score: Float64Array;
  /** 0 for none, 1 for F to 13 for A+. */
  readonly grade: Uint8Array;
  /** 1 for LONG, -1 for SHORT, 0 for WAIT or none. */
  readonly direction: Int8Array;
  /** Value of each driver by id, -1 to 1; NaN if unknown. */
  readonly drivers?: Readonly<Record<string, Float64Array>>;
  /** Wyckoff's phase; null if unknown. */
  readonly phase?: readonly (string | null)[];
}

/** Returns the rank of a grade: 1 for F to 13 for A+, 0 for none. */
export const gradeRank = (grade: Grade | null): number =>
  grade === null ? 0 : GRADES.length - GRADES.indexOf(grade);

/** Returns the grade of a rank; null for 0. */
export const gradeAt = (rank: number): Grade | null => GRADES[GRADES.length - rank] ?? null;
