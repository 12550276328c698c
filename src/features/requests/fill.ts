import type { Timeframe } from "../../domain/market/bars.ts";
import type { KnownTool } from "../../domain/ports.ts";
import { JUDGED_BY, KIND } from "../../domain/recognisers/field-kinds.ts";
import { type Period, periodIn } from "../../domain/recognisers/period-text.ts";
import type { Mention } from "../../market/symbols/mentions/span.ts";
import { indicatorsIn } from "../signal/indicator-words.ts";
import table from "./data/values.json" with { type: "json" };
import { type Filters, filtersIn } from "./details/filters.ts";
import { withoutExcluded } from "./details/negation.ts";
import { AMOUNT, amountOf, countIn } from "./details/numbers.ts";
import { screenRuleIn } from "./details/screen-rules.ts";
import { labelsIn, patterns } from "./phrases.ts";

/** What a request says, from which the inputs of tools are filled. */
export interface RequestDetails {
  readonly query: string;
  readonly mentions: readonly Mention[];
  readonly timeframe: Timeframe | null;
  /** Past day that the request is about; null for now. */
  readonly asOf: string | null;
  /** Subject of a search: the request without the words of asking. */
  readonly subject: string;
  readonly now: Date;
}

/** The inputs of the calls that answer a request, or the name of a required field that it does not state. */
export type Filled =
  | {
      readonly inputs: readonly {
        readonly symbol: string | null;
        readonly input: Readonly<Record<string, unknown>>;
      }[];
    }
  | { readonly missing: string };

type Schema = KnownTool["input"]["shape"][string];

/** What a field is filled from. */
interface FieldContext extends RequestDetails {
  readonly schema: Schema;
  readonly period: Period | null;
  readonly filters: Filters;
}
type Fill = (context: FieldContext) => unknown;

const symbolsOf = ({ mentions }: RequestDetails) => mentions.map(({ instrument }) => instrument.symbol);

/** Returns the id in a request that a field accepts; a field without one keeps its default. */
const ID: Fill = ({ query, schema }) =>
  (query.toLowerCase().match(/\b[a-z]{2}_[0-9a-z]+\b/g) ?? []).find((id) => schema.safeParse(id).success);
/** Returns the amount that a pattern with one group finds. */
const amountIn =
  (pattern: RegExp): Fill =>
  ({ query }) => {
    const amount = pattern.exec(query)?.[1];
    return amount === undefined ? undefined : amountOf(amount);
  };
/** Returns the amount after the words of a limit: `over $1.5m`. */
const amountAfter = (limit: string): Fill => amountIn(new RegExp(`\\b(?:${limit})(${AMOUNT})`, "i"));
/** Returns the price after the name of a part of an order: `stop at 250`. */
const priceOf = (names: string): Fill =>
  amountIn(new RegExp(`\\b(?:${names})(?: loss| price)?(?: at| of| is|:)? (?:usd ?|\\$)?(${AMOUNT})`, "i"));
/** Returns the price after `at` that belongs to no exit: `buy 20 AAPL at 270`. */
const AT_PRICE: Fill = amountIn(
  new RegExp(
    `(?<!\\b(?:stop|loss|target|profit|limit|exit|out)) at (?:usd ?|\\$)?(${AMOUNT})(?!\\s*(?:%|percent|:))`,
    "i",
  ),
);
/** Returns the length of a past time in days. */
const pastDays = ({ period }: FieldContext): number | undefined =>
  period === null || period.ahead || period.days === null ? undefined : period.days;

/** Returns the units of an order: `buy 20 AAPL`, `20 shares`. */
const UNITS: Fill = amountIn(
  new RegExp(
    `(?:\\b(?:buy|sell|short|purchase) |(?<![$\\d.,]|\\b(?:at|stop|limit|target|loss|profit) ))(${AMOUNT})(?= (?!usd|dollars?|thousand|million|at\\b)[a-z]| shares| units)`,
    "i",
  ),
);
/** Returns the size of an order in US dollars: `$5,000 of AAPL`, `5,000 dollars of AAPL`. */
const DOLLARS: Fill = (context) =>
  amountIn(new RegExp(`\\$ ?(${AMOUNT})(?= (?:of|worth|into)\\b)`, "i"))(context) ??
  amountIn(new RegExp(`(?<![$\\d.,])(${AMOUNT})(?= (?:usd|dollars?) (?:of|worth|into)\\b)`, "i"))(context);
/** Matches an order for the time before the open or after the close. */
const EXTENDED_ORDER =
  /\b(?:buy|sell|short|cover|order)\b.*\b(?:extended[- ]hours|pre-?market|after[- ]hours)\b/i;

const MORE = "above|over|more than|larger than|bigger than|at least";
const DAYS_A_YEAR = 365;

/** How each field that is no filter is filled, by its name; undefined keeps the default of the field. */
const FILLS: Readonly<Record<string, Fill>> = {
  symbols: (details) => (details.mentions.length === 0 ? undefined : symbolsOf(details)),
  timeframe: ({ timeframe }) => timeframe ?? undefined,
  as_of: ({ asOf }) => asOf ?? undefined,
  limit: ({ query }) => countIn(query) ?? undefined,
  min_price: amountAfter(`(?:${MORE}) (?:usd ?|\\$)`),
  min_notional: amountAfter(`(?:${MORE}) (?:usd ?|\\$)?`),
  direction: ({ filters }) => filters.bias,
  from: ({ period, ...context }) => dayFor(period?.from, context),
  to: ({ period, ...context }) => dayFor(period?.to, context),
  days: pastDays,
  hours: (context) => hoursOf(pastDays(context)),
  years: (context) => yearsOf(pastDays(context)),
  max_days: ({ period }) => (period?.ahead === true ? (period.days ?? undefined) : undefined),
  query: ({ subject }) => (subject.length > 1 ? subject : undefined),
  rules: ({ query }) => screenRuleIn(query).rule ?? undefined,
  indicators: ({ query }) => indicatorsIn(query) ?? undefined,
  quantity: UNITS,
  notional: (context) => (UNITS(context) === undefined ? DOLLARS(context) : undefined),
  stop_loss: priceOf("stop|stop-loss|sl"),
  take_profit: priceOf("target|take profit|take-profit|tp"),
  limit_price: (context) => priceOf("limit")(context) ?? AT_PRICE(context),
  extended_hours: ({ query }) => EXTENDED_ORDER.test(query) || undefined,
  open_market: ({ query }) => /\bopen[ -]market\b/i.test(query) || undefined,
  picture: ({ query }) => /\b(?:picture|image|chart|plot|draw)\b/i.test(query) || undefined,
};

const hoursOf = (days: number | undefined) => (days === undefined ? undefined : Math.max(1, 24 * days));
const yearsOf = (days: number | undefined) =>
  days === undefined ? undefined : Math.max(1, Math.round(days / DAYS_A_YEAR));

/** Returns a day for a field; undefined for a later day and a field of past days. */
function dayFor(
  day: string | null | undefined,
  { schema, now }: Pick<FieldContext, "schema" | "now">,
): string | undefined {
  const isLater = day != null && day > now.toISOString().slice(0, 10);
  return day == null || (isLater && !takesComingDays(schema)) ? undefined : day;
}

/** Returns true for a field of days from today on, also if it is optional. */
function takesComingDays(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  if (schema.meta()?.[KIND] === "coming_day") return true;
  return "unwrap" in schema && takesComingDays((schema.unwrap as () => Schema)());
}

/** Fields that take one symbol. */
const SYMBOL_FIELDS: readonly string[] = ["symbol", "ticker"];
/** Values of required fields that a request need not state. */
const ASSUMED: Readonly<Record<string, string>> = { strategy: "signal", operation: "signal" };

/**
 * Fills the input of a tool from a request: one input for each symbol if the tool takes one symbol. What the request
 * excludes is not used, and a value that the tool's own schema refuses is left out.
 */
export function filled({ input }: KnownTool, request: RequestDetails): Filled {
  const shape: Readonly<Record<string, Schema>> = input.shape;
  const details = { ...request, query: withoutExcluded(request.query) };
  const context = {
    ...details,
    period: periodIn(details.query, details.now, takesComingDays(shape.from)),
    filters: filtersIn(details.query).filters,
  };
  const values: Record<string, unknown> = {};
  // a past day is the range of a tool that judges what came after it, with what is known now
  const isRange = context.period?.from != null;
  for (const [field, schema] of Object.entries(shape)) {
    if (isRange && schema.meta()?.[JUDGED_BY] === true) continue;
    const value =
      (field.endsWith("_id") ? ID : FILLS[field])?.({ ...context, schema }) ??
      context.filters[field as keyof Filters] ??
      valueIn(field, { ...context, schema });
    if (value !== undefined && schema.safeParse(value).success) values[field] = value;
  }
  const missing = Object.keys(shape).filter(
    (field) => isRequired(shape[field]) && !(field in values) && !SYMBOL_FIELDS.includes(field),
  );
  if (missing.length > 0 && "symbols" in shape && details.mentions.length === 0) return { missing: "symbol" };
  for (const field of missing) {
    if (ASSUMED[field] === undefined) return { missing: field };
    values[field] = ASSUMED[field];
  }
  // an order names its size
  if ("side" in shape && "quantity" in shape && !("quantity" in values || "notional" in values))
    return { missing: "quantity" };
  const symbolField = "symbols" in values ? undefined : SYMBOL_FIELDS.find((field) => field in shape);
  if (symbolField === undefined) return { inputs: [{ symbol: null, input: values }] };
  const symbols = "side" in shape ? orderedSymbols(details) : symbolsOf(details);
  if (symbols.length > 0)
    return { inputs: symbols.map((symbol) => ({ symbol, input: { ...values, [symbolField]: symbol } })) };
  return isRequired(shape[symbolField])
    ? { missing: symbolField }
    : { inputs: [{ symbol: null, input: values }] };
}

/** Names of brokers that are symbols too come after these words. */
const AT_BROKER = /\b(?:at|via|through|with|on|to|by)(?: my)? $/i;

/** Returns the symbol of an order: the first one that does not name the broker. */
function orderedSymbols({ query, mentions }: RequestDetails): readonly string[] {
  const ordered = mentions.filter(({ text }) => !AT_BROKER.test(query.slice(0, query.indexOf(text))));
  return (ordered.length > 0 ? ordered : mentions).slice(0, 1).map(({ instrument }) => instrument.symbol);
}

const isRequired = (schema: Schema | undefined): boolean =>
  schema !== undefined && !schema.safeParse(undefined).success;

/** Words for the values of each field of fixed values. */
const WORDS_OF = new Map(
  Object.entries<Readonly<Record<string, readonly string[]>>>(table).map(([field, values]) => [
    field,
    patterns(values),
  ]),
);
/** Periods of sessions, each with the longest time in days for which it is chosen. */
const SESSIONS: readonly (readonly [value: string, days: number])[] = [
  ["1d", 1],
  ["5d", 10],
  ["20d", 45],
  ["60d", Number.POSITIVE_INFINITY],
];

/** Returns the value of a field of fixed values that a request names; undefined if it names none. */
function valueIn(field: string, context: FieldContext): string | undefined {
  const { schema, query } = context;
  const words = WORDS_OF.get(field);
  const named = words && labelsIn(words, query).find((value) => schema.safeParse(value).success);
  const days = pastDays(context);
  if (named !== undefined || field !== "period" || days === undefined) return named;
  return SESSIONS.find(([, most]) => days <= most)![0];
}
