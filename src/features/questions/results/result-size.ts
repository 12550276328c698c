import type { SkillResult } from "../../../domain/questions/interpretation.ts";

/** Maximum total length of complete answers, in characters. */
const MAX_LENGTH = { concise: 3_000, full: 32_000 } as const;
/** Maximum number of results for which a concise answer contains complete answers. */
const MAX_CONCISE_RESULTS = 3;
/** Start of the note on omitted answers. */
export const OMITTED_ANSWERS = "Omitted because of their length: full answers of";

/** Returns the results with as many complete answers as fit; those of the tools in `first` have priority. */
export function withinSize(
  results: readonly SkillResult[],
  { detail, first }: { readonly detail: keyof typeof MAX_LENGTH; readonly first: readonly string[] },
): { readonly results: readonly SkillResult[]; readonly notes: readonly string[] } {
  const rank = ({ skill }: SkillResult) => (first.includes(skill) ? 0 : 1);
  let left = detail === "concise" && results.length > MAX_CONCISE_RESULTS ? 0 : MAX_LENGTH[detail];
  const whole = new Set<SkillResult>();
  for (const result of results.toSorted((a, b) => rank(a) - rank(b))) {
    if (result.data === null) continue;
    const size = JSON.stringify(result.data).length;
    if (size > left) continue;
    left -= size;
    whole.add(result);
  }
  const omitted = new Set(results.filter((result) => result.data !== null && !whole.has(result)));
  const skills = [...new Set([...omitted].map(({ skill }) => skill))];
  return {
    results: results.map((result) => (omitted.has(result) ? { ...result, data: null } : result)),
    notes: skills.length === 0 ? [] : [`${OMITTED_ANSWERS} ${skills.join(", ")}`],
  };
}
