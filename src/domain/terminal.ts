/** Colours a text for a terminal; returns it unchanged if the terminal has no colour. */
export type Paint = (style: "green" | "red" | "yellow" | "cyan" | "bold" | "dim", text: string) => string;
