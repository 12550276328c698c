import type { Symbols } from "../../domain/ports.ts";
import { RiskLimits } from "../../domain/trading/risk.ts";
import { Amount, Positive } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";

type Name = keyof RiskLimits;
type LimitParser = (text: string, symbols: Pick<Symbols, "find">) => unknown;

const MAX_PERCENT = 100;
/** Positions may exceed equity on margin, at most ten times. */
const MAX_NOTIONAL_PERCENT = 1_000;
const MAX_COUNT = 1_000_000;
const OFF = "none";

/** Required format of a limit, and its parser, which returns undefined for invalid text. */
const amount: readonly [string, LimitParser] = [
  `a number above 0 such as 5000, or ${OFF}`,
  (text) => (text === OFF ? null : Positive.safeParse(text).data),
];
const percentUpTo = (max: number): readonly [string, LimitParser] => [
  `a percentage above 0 and at most ${max}, such as 2.5, or ${OFF}`,
  (text) => {
    if (text === OFF) return null;
    const { data } = Positive.safeParse(text);
    return data === undefined || Number(data) > max ? undefined : data;
  },
];
const percent = percentUpTo(MAX_PERCENT);
const points: readonly [string, LimitParser] = [
  `a number of percentage points from 0 to 100, such as 10, or ${OFF}`,
  (text) => {
    if (text === OFF) return null;
    const { data } = Amount.safeParse(text);
    return data === undefined || Number(data) < 0 || Number(data) > MAX_PERCENT ? undefined : data;
  },
];
const count: readonly [string, LimitParser] = [
  `a whole number of 1 or more, or ${OFF}`,
  (text) => (text === OFF ? null : parseCount(text)),
];
const parseCount = (text: string): number | undefined =>
  /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_COUNT ? Number(text) : undefined;

const LIMIT_PARSERS: Readonly<Record<Name, readonly [string, LimitParser]>> = {
  max_notional_usd: amount,
  max_notional_pct: percentUpTo(MAX_NOTIONAL_PERCENT),
  max_quantity: amount,
  max_price_off_pct: percent,
  max_open_risk_pct: percent,
  max_trade_risk_pct: percent,
  max_position_pct: percentUpTo(MAX_NOTIONAL_PERCENT),
  max_adv_pct: percent,
  max_daily_loss_pct: percent,
  halt_drawdown_pct: percent,
  max_stop_over_target_points: points,
  max_orders_a_minute: count,
  max_quote_age_seconds: count,
  cooldown_stop_outs: count,
  cooldown_minutes: [
    "a whole number of minutes; cooldown_stop_outs=none switches the cooldown off",
    parseCount,
  ],
  symbols: [`symbols of this market such as AAPL,MSFT, or ${OFF} for any`, parseSymbols],
  hours: ["regular or any", (text) => RiskLimits.shape.hours.safeParse(text).data],
  unconfirmed_live_usd: amount,
  unconfirmed_live_closing: [
    "true or false",
    (text) => (text === "true" ? true : text === "false" ? false : undefined),
  ],
};

/** Parses limits written as `name=value`. Throws INVALID_INPUT with the required format. */
export function parseLimits(terms: readonly string[], symbols: Pick<Symbols, "find">): Partial<RiskLimits> {
  const change: Record<string, unknown> = {};
  for (const term of terms) {
    const [, name = "", text = ""] = /^([^=]*)=(.*)$/s.exec(term) ?? [];
    if (!Object.hasOwn(LIMIT_PARSERS, name))
      throw new ToolError("INVALID_INPUT", `"${term}" is not a limit`, {
        hint: `Use name=value. The limits: ${Object.keys(LIMIT_PARSERS).join(", ")}.`,
      });
    if (name in change) throw new ToolError("INVALID_INPUT", `${name} is set twice`);
    const [form, parse] = LIMIT_PARSERS[name as Name];
    const value = parse(text.trim(), symbols);
    if (value === undefined)
      throw new ToolError("INVALID_INPUT", `${name} cannot be "${text}"`, { hint: `It must be ${form}.` });
    change[name] = value;
  }
  return change;
}

function parseSymbols(text: string, symbols: Pick<Symbols, "find">): readonly string[] | null | undefined {
  if (text.toLowerCase() === OFF) return null;
  return [...new Set(text.split(",").map((name) => parseSymbol(name.trim(), text, symbols)))];
}

/**
 * Resolves a symbol, optionally with its asset class, such as LINK:equity. Throws INVALID_INPUT unless it names exactly
 * one instrument.
 */
function parseSymbol(typed: string, text: string, symbols: Pick<Symbols, "find">): string {
  const [, name = "", kind] = /^(.*?)(?::(crypto|etf|equity))?$/is.exec(typed) ?? [];
  const found = name === "" ? null : symbols.find(name);
  if (found === null)
    throw new ToolError("INVALID_INPUT", `symbols cannot be "${text}": this market has no "${typed}"`, {
      hint: "Use symbols of this market, such as AAPL.",
    });
  const all = [found.instrument, ...found.alternatives];
  const [instrument, ...others] = all.filter(
    ({ asset_class }) => kind === undefined || asset_class === kind.toLowerCase(),
  );
  if (instrument !== undefined && others.length === 0) return instrument.symbol;
  throw new ToolError(
    "INVALID_INPUT",
    `symbols cannot be "${text}": "${typed}" does not name one instrument`,
    {
      hint: `Choose one: ${all.map(({ symbol, asset_class }) => `${symbol}:${asset_class}`).join(", ")}.`,
    },
  );
}
