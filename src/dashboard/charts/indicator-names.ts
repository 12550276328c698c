/** Indicators in the unit of the price, which are drawn over the candles. */
const OVERLAYS = /^(sma|ema|wma|rma|vwap|bb_|keltner_|highest|lowest|tenkan|kijun|senkou_|supertrend|close)/;
/** Indicators that are drawn together. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^macd/, "macd"],
  [/^(adx|plus_di|minus_di)/, "adx"],
  [/^aroon_/, "aroon"],
  [/^stoch_/, "stoch"],
];
/** Returns the names of the indicators of each pane: first those over the candles, then one list for each pane. */
export function paneNames(names: readonly string[]): readonly (readonly string[])[] {
  const panes = new Map<string, string[]>();
  const over: string[] = [];
  for (const name of names) {
    if (OVERLAYS.test(name)) {
      over.push(name);
      continue;
    }
    const family = FAMILIES.find(([pattern]) => pattern.test(name))?.[1];
    const key = family === undefined ? name : family + name.slice(name.indexOf("("));
    panes.set(key, [...(panes.get(key) ?? []), name]);
  }
  return [over, ...panes.values()];
}
