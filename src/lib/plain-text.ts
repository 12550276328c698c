/** Complete terminal control sequences. @see ECMA-48 */
const TERMINAL_SEQUENCES = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?`, // colours, cursor, screen, also truncated
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`, // titles, links
    String.raw`\u001b(?:[ -/]+[0-~]|[0-9=>@-Z\\^_c])`,
  ].join("|"),
  "g",
);

/** An emoji with its modifiers, variation selectors, joined emoji and keycap. @see UTS 51, ED-15a */
const EMOJI = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?)*|[0-9#*]\ufe0f\u20e3`;
/** Zero-width characters within a word: variation selectors, joiners, soft hyphens. */
const INVISIBLE = String.raw`(?:\u00ad|(?=\p{Default_Ignorable_Code_Point})\p{M})+`;
/**
 * Control, invisible and space-like characters by Unicode property, and blank characters that have none of these
 * properties by code point.
 */
const BLANK = String.raw`(?! )[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{1d159}]`;
const NOT_PLAIN = new RegExp(`(${EMOJI})|(${INVISIBLE})|(?:${BLANK})+`, "gu");
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Sanitizes untrusted text for one line of a terminal or for a model. Control sequences and control, format (bidi,
 * zero-width), line and blank characters become a space; variation selectors are removed; emoji stay complete. Text
 * longer than `limit` characters ends in an ellipsis.
 */
export function plainText(text: string, limit: number): string {
  const plain = PLAIN.test(text) ? text : visible(text.replace(TERMINAL_SEQUENCES, "\0")); // merges into one space with adjacent blanks
  const characters = [...plain.slice(0, 4 * limit)];
  if (characters.length <= limit) return plain;
  return `${visible(characters.slice(0, limit - 1).join(""))}…`;
}

const visible = (text: string): string =>
  text
    .replace(
      NOT_PLAIN,
      (_, emoji?: string, invisible?: string) => emoji ?? (invisible === undefined ? " " : ""),
    )
    .trim();
