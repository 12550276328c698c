/** Returns the only value that equals the text in any case. Returns the text itself if none or several do. */
export function enumValue(values: readonly unknown[], text: string): string {
  if (values.includes(text)) return text;
  const folded = text.trim().toLowerCase();
  const matches = values.filter(
    (value): value is string => typeof value === "string" && value.toLowerCase() === folded,
  );
  return matches.length === 1 ? matches[0]! : text;
}
