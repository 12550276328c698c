import politicians from "../data/politicians.json" with { type: "json" };

/** Names of members of Congress as the source of a pattern, in lower case. */
export const POLITICIANS: string = politicians.join("|").replaceAll("-", "[- ]");
