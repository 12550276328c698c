import type { FiledFact, LineName } from "../../src/domain/company/facts.ts";

/** A figure of the first quarter of 2025, filed on 1 May; every field can be overridden. */
export const filedFact = (line: LineName, value: number, over: Partial<FiledFact> = {}): FiledFact => ({
  line,
  tag: `Tag of ${line}`,
  rank: 0,
  start: "2025-01-01",
  end: "2025-03-31",
  value,
  form: "10-Q",
  filed: "2025-05-01",
  accession: "0000000001-25-000001",
  ...over,
});

/** Starts and ends of the quarters of 2024 and the first of 2025, oldest first. */
export const QUARTERS = [
  ["2024-01-01", "2024-03-31"],
  ["2024-04-01", "2024-06-30"],
  ["2024-07-01", "2024-09-30"],
  ["2024-10-01", "2024-12-31"],
  ["2025-01-01", "2025-03-31"],
] as const;
