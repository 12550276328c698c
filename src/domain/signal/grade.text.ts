interface GradedVerdict {
  readonly direction: string;
  readonly grade: string | null;
}

/** Formats a grade, which rates the long side: beside a SHORT it says so, because the strongest SHORT has an F. */
export const formatGrade = ({ direction, grade }: GradedVerdict): string =>
  `${direction === "SHORT" ? "long-side grade" : "grade"} ${grade ?? "none"}`;
