/** Returns the first sentence of a text; of one longer than `limit` characters the part before its colon. */
export function briefDescription(text: string, limit = 120): string {
  const [sentence = text] = /^.*?[.?!](?= [A-Z]|$)/s.exec(text) ?? [];
  const [summary = sentence] = sentence.split(": ");
  return sentence.length <= limit || summary === sentence ? sentence : `${summary}.`;
}
