interface GradedVerdict {
  readonly direction: string;
  readonly grade: string | null;
}

/** Formats a grade. It rates the long side, which is said for a SHORT, because the strongest SHORT has an F. */
export const formatGrade = ({ direction, grade }: GradedVerdict): string =>
  `${direction === "SHORT" ? "long-side grade" : "grade"} ${grade ?? "none"}`;
