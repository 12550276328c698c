/** What a condition was at the last bar that was looked at, and what it did after that. */
export interface ConditionTransitions {
  /** Places of the bars at which it became true, ascending. */
  readonly at: readonly number[];
  /** Whether it holds at the last bar. */
  readonly held: boolean;
}

/**
 * The bars from `from` on at which a column turns from 0 to 1, where `before` is what it was on the bar in front of them.
 * A first look (null) turns at none: it arms alone. Looking at bars in pieces finds the same as looking at all at once.
 */
export function becomesTrue(
  before: boolean | null,
  column: ArrayLike<number>,
  from: number,
): ConditionTransitions {
  if (before === null) return { at: [], held: column.length > 0 && column[column.length - 1] === 1 };
  const at: number[] = [];
  let held = before;
  for (let bar = Math.max(0, from); bar < column.length; bar++) {
    const now = column[bar] === 1;
    if (now && !held) at.push(bar);
    held = now;
  }
  return { at, held };
}
