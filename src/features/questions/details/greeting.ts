import words from "../data/words.json" with { type: "json" };
import { patterns } from "../phrases.ts";

const SAYS = patterns(words.greeting);
const ASKS = /\?|\b(what|who|how|can|hi|hello|hey)\b/i;

/** Returns the reply to thanks or a farewell; null for any other text. */
export function replyTo(query: string): string | null {
  if (ASKS.test(query)) return null;
  return SAYS.farewell.test(query) ? "Goodbye." : SAYS.thanks.test(query) ? "You are welcome." : null;
}
