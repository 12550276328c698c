import sectors from "../../../domain/recognisers/sectors.json" with { type: "json" };

/** Words for each sector; in the data, `within` has those for its industries. */
const SECTORS = Object.entries<{ readonly whole: string; readonly within?: string }>(sectors).map(
  ([name, { whole, within }]) => ({
    name,
    words: within === undefined ? whole : `${whole}|${within}`,
    whole: new RegExp(`\\b(?:${whole})\\b`, "i"),
  }),
);

export const SECTOR_NAMES: readonly string[] = SECTORS.map(({ name }) => name);

/** Words for all sectors, as the source of a regular expression. */
export const SECTOR_WORDS = SECTORS.map(({ words }) => words).join("|");

/** Returns the sectors that a text names; `isPart` is true if only an industry is named. */
export const sectorsIn = (text: string): readonly { readonly name: string; readonly isPart: boolean }[] =>
  SECTORS.filter(({ words }) => new RegExp(`\\b(?:${words})\\b`, "i").test(text)).map(({ name, whole }) => ({
    name,
    isPart: !whole.test(text),
  }));
