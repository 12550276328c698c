import { editDistance } from "../../../lib/edit-distance.ts";

/** A problem with one part of the input, with the allowed values. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const MAX_EDIT_DISTANCE = 2;

/** Returns ", did you mean x?" if one of `words` is within two edits of `text`, else "". */
export function didYouMean(text: string, words: readonly string[]): string {
  const most = Math.min(MAX_EDIT_DISTANCE, text.length - 1);
  const near = words
    .map((word) => ({ word, distance: editDistance(text.toLowerCase(), word.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)[0];
  return near === undefined ? "" : `, did you mean ${near.word}?`;
}

/** Returns the caller's text quoted and shortened for a message. */
export const quoted = (text: string): string => `"${text.length > 24 ? `${text.slice(0, 24)}...` : text}"`;
