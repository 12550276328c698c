/** Returns a text with the special characters of regular expressions escaped, so that a pattern matches it literally. */
export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
