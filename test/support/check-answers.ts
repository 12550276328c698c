import type { CheckAnswer } from "../../src/domain/check/check.ts";

/** Parts that an answer of a check has only if they apply. */
const PARTS = ["odds", "range", "loss", "adds", "option", "passing_quantity"] as const;
type Part = (typeof PARTS)[number];
type WithParts<Answer extends Pick<CheckAnswer, Part>> = Omit<Answer, Part> & {
  readonly [Key in Part]: NonNullable<Answer[Key]> | null;
};

/** Returns a caller whose answers have null for each part that does not apply, so that tests name its absence. */
export const withParts =
  <Args extends readonly unknown[], Answer extends Pick<CheckAnswer, Part>>(
    call: (...args: Args) => Promise<Answer>,
  ) =>
  async (...args: Args): Promise<WithParts<Answer>> => {
    const answer = await call(...args);
    const parts = Object.fromEntries(PARTS.map((part) => [part, answer[part] ?? null]));
    return { ...answer, ...parts } as unknown as WithParts<Answer>;
  };
