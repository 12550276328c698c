/** Colours a text for a terminal, or returns it as it is where there is no colour. */
export type Paint = (style: "green" | "red" | "yellow" | "cyan" | "bold" | "dim", text: string) => string;
