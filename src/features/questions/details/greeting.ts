const FAREWELL = /\b(bye|goodbye|farewell|good night|gn|see (you|ya)|take care|later|tomorrow)\b/i;
const THANKS = /\b(thanks?|thx|ty|cheers|appreciate(d)?)\b/i;
const ASKS = /\?|\b(what|who|how|can|hi|hello|hey)\b/i;

/** Returns the reply to thanks or a farewell; null for any other text. */
export function replyTo(query: string): string | null {
  if (ASKS.test(query)) return null;
  return FAREWELL.test(query) ? "Goodbye." : THANKS.test(query) ? "You are welcome." : null;
}
