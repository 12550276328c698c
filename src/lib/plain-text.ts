/** Sequences by which text steers a terminal, whole, so that nothing of them is left to read. @see ECMA-48 */
const STEERING = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?`, // colours, cursor, screen; one that was cut off too
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`, // titles, links
    String.raw`\u001b(?:[ -/]+[0-~]|[0-9=>@-Z\\^_c])`,
  ].join("|"),
  "g",
);

/**
 * Outside text made fit to show on a terminal or to a model: control sequences, control, format (bidi, zero-width) and line
 * characters become spaces, and what is longer than `limit` characters ends in an ellipsis.
 */
export function plainText(text: string, limit: number): string {
  const plain = text
    .replace(STEERING, "\0") // joins what stands beside it
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+/gu, " ")
    .trim();
  const characters = [...plain.slice(0, 4 * limit)];
  return characters.length <= limit ? plain : `${characters.slice(0, limit - 1).join("")}…`;
}
