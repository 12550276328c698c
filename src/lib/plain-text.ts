/**
 * Outside text made fit to show on a terminal or to a model: control, format (bidi, zero-width) and line
 * characters become spaces, and what is longer than `limit` characters ends in an ellipsis.
 */
export function plainText(text: string, limit: number): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+/gu, " ").trim();
  const characters = [...plain.slice(0, 4 * limit)];
  return characters.length <= limit ? plain : `${characters.slice(0, limit - 1).join("")}…`;
}
