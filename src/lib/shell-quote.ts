/** Returns a text as one word of a shell, in single quotes. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a text as one word of a shell, in quotes only if it needs them. */
export const shellWord = (text: string): string => (/^[\w.:/%@+~-]+$/.test(text) ? text : shellQuoted(text));
