/**
 * Returns true if objects and lists are nested at most `limit` deep. Iterative, so deep nesting cannot overflow the
 * stack.
 */
export function nestedWithin(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter((one) => typeof one === "object" && one !== null);
    if (inner.length === 0) return true;
    if (depth === limit) return false;
    level = inner.flatMap((one) => Object.values(one as object) as unknown[]);
  }
  return true;
}
