type Fields = Readonly<Record<string, unknown>>;

const ONE_SYMBOL: readonly string[] = ["symbol", "sym", "ticker"];
const SEVERAL_SYMBOLS: readonly string[] = ["symbols", "syms", "tickers"];
/** Input fields that take symbols. */
export const SYMBOL_FIELDS: ReadonlySet<string> = new Set([...ONE_SYMBOL, ...SEVERAL_SYMBOLS]);

/** Names with one meaning; a tool has the field under one of them. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ["timeframe", "interval", "tf"],
  ["query", "q"],
  ["agent", "name"],
  ["engaged", "enabled"],
  ["from", "start", "start_date", "from_date"],
  ["to", "end", "end_date", "to_date"],
  ["expiry", "expiration", "expiration_date"],
  ["quantity", "qty"],
];

/** Names under which a tool may have a field, by the name that a caller uses; the nearest name first. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ...ONE_SYMBOL.map((name) => [name, [...ONE_SYMBOL, ...SEVERAL_SYMBOLS]] as const),
  ...SEVERAL_SYMBOLS.map((name) => [name, [...SEVERAL_SYMBOLS, ...ONE_SYMBOL]] as const),
  ...SAME_MEANING.flatMap((names) => names.map((name) => [name, names] as const)),
]);

/**
 * Returns the fields under the names that the tool gives them: `asOf` becomes `as_of`, `ticker` becomes `symbol`. A name
 * that stays unknown, or whose field is also given, is unchanged; validation rejects it later.
 */
export function withFieldNames(fields: Fields, names: readonly string[]): Fields {
  const taken = new Set(Object.keys(fields));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const known = names.includes(name) ? name : knownName(name, names);
      if (known === undefined || taken.has(known)) return [name, value];
      taken.add(known);
      return [known, ONE_SYMBOL.includes(known) ? onlyItem(value) : value];
    }),
  );
}

function knownName(name: string, names: readonly string[]): string | undefined {
  const snake = name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
  return [snake, ...(SYNONYMS.get(snake) ?? [])].find((one) => names.includes(one));
}

/** Returns the item of a list of one, for a field that takes one value; any other value unchanged. */
const onlyItem = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);
