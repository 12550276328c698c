/** Words for each sector, and for industries within it. */
const SECTORS: readonly (readonly [name: string, whole: string, within: string | null])[] = [
  ["Information Technology", "tech|technology", "semiconductors?|semis|(?<!blue[ -])chips?|software"],
  ["Financials", "financials?", "banks?|banking"],
  ["Health Care", "health ?care", "pharma\\w*|biotechs?"],
  ["Energy", "energy", "oil|gas"],
  ["Utilities", "utilit(?:y|ies)", null],
  ["Industrials", "industrials?", null],
  ["Materials", "materials", null],
  ["Real Estate", "real estate|reits?", null],
  ["Consumer Staples", "staples", null],
  ["Consumer Discretionary", "discretionary", "retail\\w*"],
  ["Communication Services", "communications?", "telecoms?|media"],
];

/** Words for all sectors, as the source of a regular expression. */
export const SECTOR_WORDS = SECTORS.flatMap(([, whole, within]) =>
  within === null ? [whole] : [whole, within],
).join("|");

const READ = SECTORS.map(([name, whole, within]) => ({
  name,
  whole: new RegExp(`\\b(?:${whole})\\b`, "i"),
  within: within === null ? null : new RegExp(`\\b(?:${within})\\b`, "i"),
}));

/** Returns the sectors that a text names; `isPart` is true if only an industry is named. */
export const sectorsIn = (text: string): readonly { readonly name: string; readonly isPart: boolean }[] =>
  READ.flatMap(({ name, whole, within }) => {
    const isWhole = whole.test(text);
    return isWhole || within?.test(text) ? [{ name, isPart: !isWhole }] : [];
  });
