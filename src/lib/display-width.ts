import stringWidth from "string-width";

/** Returns the terminal columns of one line of text: none for colour codes, two for wide characters and emoji. */
export const displayWidth = (text: string): number => stringWidth(text);
