import type { LineName, RatioName } from "../../domain/company/facts.ts";
import type { Period } from "./statements.ts";

const DAY = 86_400_000;
const QUARTERS = 4;
/** Lengths of four quarters in days. */
const YEAR = [350, 380] as const;

type Value = number | null;
/** A ratio, or why it has none. */
export type RatioValue =
  | { readonly value: number; readonly reason: null }
  | { readonly value: null; readonly reason: string };

/**
 * Returns the ratios of the newest quarter of a company, as RATIO_DEFINITIONS define them. `quarters` are newest first.
 * `noPrice` is the reason why `close` is null.
 */
export function ratiosOf(
  quarters: readonly Period[],
  { close, noPrice }: { readonly close: Value; readonly noPrice: string },
): Readonly<Record<RatioName, RatioValue>> {
  const [newest] = quarters;
  const now = (line: LineName): Value => newest?.facts.get(line)?.value ?? null;
  const ttm = (line: LineName): Value => sumOfYear(quarters, line);
  const yearBefore = quarters.find(({ end }) => newest !== undefined && isYearBefore(end, newest.end));
  const known = (line: LineName) => `${line} of the newest quarter is not known`;
  const shares = now("shares_diluted");
  const marketValue = close === null || shares === null ? null : close * shares;
  const noMarketValue = close === null ? noPrice : known("shares_diluted");

  const ratio = (over: Value, under: Value, why: string, factor = 1): RatioValue =>
    over === null || under === null || under <= 0
      ? { value: null, reason: under !== null && under <= 0 ? "The divisor is not positive" : why }
      : { value: (factor * over) / under, reason: null };
  const ofYear = (over: LineName, under: LineName) =>
    ratio(ttm(over), ttm(under), `${over} or ${under} of four quarters in a row is not known`, 100);
  const ofValue = (under: Value, line: LineName, ofTtm: boolean) => {
    const why = ofTtm ? `${line} of four quarters in a row is not known` : known(line);
    return ratio(marketValue, under, marketValue === null ? noMarketValue : why);
  };
  const onBalance = (line: LineName) =>
    ratio(ttm("net_income"), now(line), `net_income of four quarters or ${line} is not known`, 100);
  const balance = (over: LineName, under: LineName) =>
    ratio(now(over), now(under), `${over} or ${under} of the newest quarter is not known`);
  const [earned, spent] = [ttm("operating_cash_flow"), ttm("capital_expenditure")];
  const cash = earned === null || spent === null ? null : earned - spent;
  const growth = ratio(
    now("revenue"),
    yearBefore?.facts.get("revenue")?.value ?? null,
    "revenue of the newest quarter or of the same quarter a year before is not known",
    100,
  );
  return {
    price_to_earnings: ofValue(ttm("net_income"), "net_income", true),
    price_to_sales: ofValue(ttm("revenue"), "revenue", true),
    price_to_book: ofValue(now("equity"), "equity", false),
    free_cash_flow_yield: ratio(
      cash,
      marketValue,
      marketValue === null
        ? noMarketValue
        : "operating_cash_flow or capital_expenditure of four quarters in a row is not known",
      100,
    ),
    gross_margin: ofYear("gross_profit", "revenue"),
    operating_margin: ofYear("operating_income", "revenue"),
    net_margin: ofYear("net_income", "revenue"),
    return_on_equity: onBalance("equity"),
    return_on_assets: onBalance("assets"),
    current_ratio: balance("current_assets", "current_liabilities"),
    liabilities_to_equity: balance("liabilities", "equity"),
    revenue_growth: growth.value === null ? growth : { value: growth.value - 100, reason: null },
  };
}

/** Returns the sum of a line over the newest four quarters; null unless they follow each other and all have it. */
function sumOfYear(quarters: readonly Period[], line: LineName): Value {
  const year = quarters.slice(0, QUARTERS);
  const [newest, oldest] = [year[0], year.at(-1)];
  if (newest === undefined || oldest === undefined || year.length < QUARTERS) return null;
  const days = (Date.parse(newest.end) - Date.parse(oldest.start)) / DAY + 1;
  if (days < YEAR[0] || days > YEAR[1]) return null;
  const values = year.flatMap(({ facts }) => facts.get(line)?.value ?? []);
  return values.length < QUARTERS ? null : values.reduce((total, value) => total + value, 0);
}

const isYearBefore = (end: string, newest: string): boolean => {
  const days = (Date.parse(newest) - Date.parse(end)) / DAY;
  return days >= YEAR[0] && days <= YEAR[1];
};
