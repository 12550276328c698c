import { GRADES, type Grade } from "./grade.ts";

/** What the live signal would have said at the close of each bar; columns are as long as the bars. */
export interface SignalTape {
  /** First bar with a reading. */
  readonly first: number;
  /** 0-100, 50 neutral; NaN where there is none. */
  readonly score: Float64Array;
  /** 0 none, 1 F, and so up to 13 A+. */
  readonly grade: Uint8Array;
  /** 1 LONG, -1 SHORT, 0 WAIT or none. */
  readonly direction: Int8Array;
  /** Each driver's reading by its id, -1 to 1; NaN where there is none. */
  readonly drivers?: Readonly<Record<string, Float64Array>>;
  /** Wyckoff's phase; null where there is none. */
  readonly phase?: readonly (string | null)[];
}

/** Place of a grade from the least attractive to the most: 1 for F to 13 for A+, 0 for none. */
export const gradeRank = (grade: Grade | null): number =>
  grade === null ? 0 : GRADES.length - GRADES.indexOf(grade);

/** The grade of a rank; null for 0, which is none. */
export const gradeAt = (rank: number): Grade | null => GRADES[GRADES.length - rank] ?? null;
