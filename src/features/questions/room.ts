import type { SkillResult } from "../../domain/questions/interpretation.ts";

/** Characters that whole answers may take together; concise, beside more results than this there is no room for any. */
const ROOM = { concise: 3_600, full: 32_000 } as const;
const MOST_CONCISE = 3;
/** How the note on what there was no room for begins. */
export const LEFT_OUT = "Left out for their length: whole answers of";

/** The results with as many whole answers as there is room for, those of the skills named first before the others. */
export function withinRoom(
  results: readonly SkillResult[],
  { detail, first }: { readonly detail: keyof typeof ROOM; readonly first: readonly string[] },
): { readonly results: readonly SkillResult[]; readonly notes: readonly string[] } {
  const rank = ({ skill }: SkillResult) => (first.includes(skill) ? 0 : 1);
  let room = detail === "concise" && results.length > MOST_CONCISE ? 0 : ROOM[detail];
  const kept = new Set<SkillResult>();
  for (const result of results.toSorted((a, b) => rank(a) - rank(b))) {
    if (result.data === null) continue;
    const size = JSON.stringify(result.data).length;
    if (size > room) continue;
    room -= size;
    kept.add(result);
  }
  const left = results.filter((result) => result.data !== null && !kept.has(result));
  const skills = [...new Set(left.map(({ skill }) => skill))];
  return {
    results: results.map((result) => (left.includes(result) ? { ...result, data: null } : result)),
    notes: left.length === 0 ? [] : [`${LEFT_OUT} ${skills.join(", ")}`],
  };
}
