import { z } from "zod";
import { Detail, SymbolText } from "../answers.ts";
import { TimeframeText } from "../market/bars.ts";
import { MAX_SYMBOLS } from "../requests/task.ts";

/** Accepted fields per operation: one `symbol` or several `symbols`; "may" means optional. */
const TAKES = {
  signal: { symbol: "must", symbols: "no" },
  batch: { symbol: "no", symbols: "must" },
  top: { symbol: "no", symbols: "may" },
  news: { symbol: "must", symbols: "no" },
  markets: { symbol: "may", symbols: "no" },
  edge: { symbol: "must", symbols: "no" },
} as const;
export type Operation = keyof typeof TAKES;
export const OPERATIONS = Object.keys(TAKES) as [Operation, ...Operation[]];
const operationsWith = (field: "symbol" | "symbols") =>
  OPERATIONS.filter((name) => TAKES[name][field] !== "no").join(", ");
const FREE = OPERATIONS.filter((name) => !Object.values<string>(TAKES[name]).includes("must")).join(" and ");

const takenBy = (operation: Operation): string =>
  (["symbol", "symbols"] as const).filter((field) => TAKES[operation][field] !== "no").join(" or ");

/**
 * Input of an operation. Rejects, by name, fields that the operation does not accept and required ones that
 * are missing.
 */
export const OperationInput = z
  .object({
    operation: z
      .enum(OPERATIONS)
      .describe("signal, news and edge need symbol; batch needs symbols; top and markets need neither"),
    symbol: SymbolText.optional().describe("Ticker or crypto pair, e.g. AAPL, BTC-USD; any case"),
    symbols: z
      .array(SymbolText)
      .min(1)
      .max(MAX_SYMBOLS)
      .optional()
      .describe(
        `Up to ${MAX_SYMBOLS} tickers or pairs, as a list or comma-separated. batch: required; top: ranks only these. A list of one symbol also counts as symbol`,
      ),
    limit: z
      .number()
      .int()
      .min(1)
      .max(20)
      .default(5)
      .describe("Maximum number of results for top, news and markets, 1-20"),
    timeframe: TimeframeText.optional().describe("Bar length for signal, batch and top. Default: 1d."),
    detail: Detail,
  })
  .superRefine(({ operation, symbol, symbols }, ctx) => {
    const refuse = (path: "symbol" | "symbols", message: string) =>
      ctx.addIssue({ code: "custom", path: [path], message });
    if (symbol !== undefined && symbols !== undefined)
      return refuse("symbols", `give symbol or symbols, not both; ${operation} takes ${takenBy(operation)}`);
    for (const [field, value] of Object.entries({ symbol, symbols }) as ["symbol" | "symbols", unknown][]) {
      const need = TAKES[operation][field];
      if (field === "symbols" && isOne(symbols) && TAKES[operation].symbol !== "no") continue;
      if (field === "symbols" && symbols !== undefined && TAKES[operation].symbol !== "no")
        refuse(
          field,
          `${operation} takes one symbol, but ${symbols.length} are given; several symbols are accepted by ${operationsWith(field)}`,
        );
      else if (need === "no" && value !== undefined)
        refuse(
          field,
          `${operation} takes ${takenBy(operation)}; ${field} is accepted by ${operationsWith(field)}`,
        );
      else if (need === "must" && value === undefined && symbol === undefined && symbols === undefined)
        refuse(field, `the operation ${operation} needs ${field}; ${FREE} need none`);
    }
  });

const isOne = (symbols: readonly string[] | undefined): boolean => symbols?.length === 1;

/** Returns the input with a one-element `symbols` list turned into `symbol` for operations that take one symbol. */
export function withItsSymbol<
  Input extends {
    readonly operation: Operation;
    readonly symbol?: string | undefined;
    readonly symbols?: readonly string[] | undefined;
  },
>(input: Input): Input {
  const { operation, symbol, symbols } = input;
  return TAKES[operation].symbol === "no" ? input : { ...input, symbol: symbol ?? symbols?.[0] };
}
