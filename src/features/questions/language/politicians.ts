import politicians from "../data/politicians.json" with { type: "json" };

/** Members of Congress by name, as the source of a pattern in lower case. */
export const POLITICIANS: string = politicians.join("|").replaceAll("-", "[- ]");
