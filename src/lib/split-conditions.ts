const OPERATOR = /[<>=!]|\bcrosses_(?:above|below)\b/;

/**
 * Splits conditions joined by `and`, or by `or`: `rsi < 30 or > 70`. A condition that begins with its operator takes the
 * left side of the one before. In a text that mixes both, `or` stays inside the conditions, where it is an error.
 */
export function splitConditions(text: string): { all?: string[]; any?: string[] } {
  const all = text.split(/\s+and\s+/i);
  const any = text.split(/\s+or\s+/i);
  return all.length === 1 && any.length > 1 ? { any: withLeftSides(any) } : { all: withLeftSides(all) };
}

function withLeftSides(conditions: readonly string[]): string[] {
  let left = "";
  return conditions.map((condition) => {
    const written = condition.trim();
    const at = written.search(OPERATOR);
    if (at === 0 && left !== "") return `${left} ${written}`;
    left = at < 0 ? "" : written.slice(0, at).trimEnd();
    return written;
  });
}
