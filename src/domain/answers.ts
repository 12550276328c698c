import { z } from "zod";
import { AssetClass, type Instrument } from "./market/market.ts";
import { ofKind } from "./recognisers/field-kinds.ts";
import { timeProblem } from "./recognisers/time-text.ts";
import { TEXT_FORM } from "./text-form.ts";

/** Symbol as typed by the caller; the symbol directory resolves it. */
export const SymbolText = z.string().trim().min(1).max(40).describe("AAPL or BTC-USD");

/** Name of a symbol for tools that do not cover crypto. */
export const StockText = SymbolText.describe("Ticker: AAPL, BRK.B");

/** Length of the response. The default depends on the transport. */
export const Detail = z.enum(["concise", "full"]).optional().describe("Default: concise over MCP and A2A");

/** Published pattern, kept short to save model context; values are validated by AS_OF_FORMAT. */
const AS_OF_SHAPE = /^\d{4}-\d\d-\d\d(T\S+)?$/;
const AS_OF_FORMAT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A time without its zone, as in `2024-06-28 20:00`. */
const NO_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)$/;

const AS_OF_MESSAGE = "must be a date (2024-06-28) or an ISO 8601 time with its zone (2024-06-28T20:00:00Z)";

/** Returns true if the date exists; Date.parse alone turns 30 February into 2 March. */
function onCalendar(text: string): boolean {
  const day = Date.parse(text.slice(0, 10));
  if (Number.isNaN(day) || Number.isNaN(Date.parse(text))) return false;
  return new Date(day).toISOString().startsWith(text.slice(0, 10));
}

/** Time as of which a request is answered: a date, or an ISO 8601 time. A time without a zone is read as UTC. */
export const AsOf = ofKind(
  z
    .string()
    .overwrite((text) => text.trim().replace(NO_ZONE, "$1T$2Z"))
    .regex(AS_OF_SHAPE, { error: ({ input }) => withTimeProblem(input, AS_OF_MESSAGE) })
    .refine((text) => !AS_OF_SHAPE.test(text) || AS_OF_FORMAT.test(text), AS_OF_MESSAGE)
    .refine((text) => !AS_OF_FORMAT.test(text) || onCalendar(text), "is not a date on the calendar"),
  "time",
).describe("Known by this date or time");

/** Returns the message for an invalid date or time, with the reason if it is ambiguous. */
export function withTimeProblem(input: unknown, message: string): string {
  const problem = typeof input === "string" ? timeProblem(input) : null;
  return problem === null ? message : `${problem} ${message.replace("must be", "write")}`;
}

/** Maximum length of a cursor of a list by time. */
export const MAX_CURSOR_LENGTH = 400;

/** Input fields of a list ordered by time: first and last time, and cursor. `row`: noun for a row, such as `bar`. */
export const timeRange = (row: string) => ({
  from: AsOf.optional().describe(`First ${row}`),
  to: AsOf.optional().describe("Last, including that day"),
  cursor: ofKind(z.string().max(MAX_CURSOR_LENGTH), "cursor").optional().describe("next_cursor"),
});

/** Epoch ms of an `AsOf`; a bare date means the end of that UTC day. */
export const momentOf = (asOf: string): number => Date.parse(asOf) + (asOf.length === 10 ? 86_400_000 : 0);

/** Alternative match of a requested name. */
export const Named = z.object({ symbol: z.string(), name: z.string(), asset_class: AssetClass });
export const named = ({ symbol, name, asset_class }: Instrument) => ({ symbol, name, asset_class });

export const Alternatives = z.array(Named).describe("Other instruments that match the same name");
export type Alternatives = z.infer<typeof Alternatives>;
/** Returns one line that names the alternatives; empty if there are none. */
export const formatAlternatives = (alternatives: Alternatives): readonly string[] =>
  alternatives.length === 0
    ? []
    : [`the name may also mean ${alternatives.map(({ symbol, name }) => `${symbol} (${name})`).join(", ")}`];

export const Iso = z.iso.datetime();
export const Count = z.number().int();
/** A number; null while it is unknown. */
export const Figure = z.number().nullable();

/** `true` in every answer. Filled in by the schema: handlers do not return it. */
export const Success = z.literal(true).prefault(true);
/** Both names of success, for answers whose clients read either. */
export const Succeeded = { ok: Success, success: Success };
/** Returns the schema of the notice on text written by others; the schema fills in the notice. */
export const outsideTextNotice = <Text extends string>(text: Text) =>
  z.literal(text).prefault(text).describe("How to treat text written by others");

export const Hint = z.string().nullable().describe("Next step; null if none is needed");
export const MarketMode = z.enum(["sample", "files", "live"]).describe("sample: simulated");

/** Failure of one part of an answer. */
export const Failure = z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() });

export const intBetween = (min: number, max: number) => z.number().int().min(min).max(max);

/** Most values of a filter. */
const MAX_VALUES = 50;

/**
 * Values of a filter: one, or a list of them; an empty list is no filter. Language models are shown it as text in `form`,
 * in which commas separate values.
 */
export const listOf = <Schema extends z.ZodType>(
  value: Schema,
  { description, form }: { readonly description: string; readonly form: string },
) =>
  z
    .preprocess((given: z.input<Schema> | readonly z.input<Schema>[]): unknown => {
      const isOne = !Array.isArray(given) && !(typeof given === "string" && /[,;\n]/.test(given));
      return isOne ? [given] : given;
    }, z.array(value).max(MAX_VALUES))
    .meta({ description: `${description}; one value or a list`, [TEXT_FORM]: form });

/** 1 to `max` symbols. */
export const symbolList = (max: number) => z.array(SymbolText).min(1).max(max);

export const NextCursor = z
  .string()
  .nullable()
  .describe("Pass as `cursor` to get the next page; null on the last page");

/** How values of a call were read, where the meaning is not exactly what was sent; absent if nothing differs. */
export const Understood = z
  .array(z.string())
  .optional()
  .describe("How inputs were read, where that differs from what was sent");

/** Those of the notes that say that bars are stale; absent on current bars. Texts print them first. */
export const StaleNotes = z.array(z.string()).optional().describe("Those of notes on stale bars");

export const Caveats = z.array(z.string()).describe("Caveats, such as old bars");
