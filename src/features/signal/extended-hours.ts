import { type Bars, type BarTimeframe, hasDateLabel } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";

/** @throws ToolError INVALID_INPUT for daily and weekly bars, and for crypto, which have no extended hours */
export function requireExtendedHours({ symbol, asset_class }: Instrument, timeframe: BarTimeframe): void {
  if (asset_class === "crypto")
    throw invalid(`${symbol} trades around the clock: it has no extended hours`, "Omit extended_hours.");
  if (hasDateLabel(timeframe))
    throw invalid(
      `${timeframe} bars cover the regular session only`,
      "Request an intraday timeframe, such as 30m, or omit extended_hours.",
    );
}

const invalid = (message: string, hint: string): ToolError =>
  new ToolError("INVALID_INPUT", `extended_hours: ${message}`, {
    hint,
    data: { errors: [{ pointer: "/extended_hours", detail: message }] },
  });

/** Part of the trading day in which a bar starts. */
export type BarSession = "pre" | "regular" | "post" | null;

/** Returns the part of the trading day in which a bar of a stock or fund starts (epoch ms); null outside all hours. */
export function barSession(time: number): BarSession {
  const state = marketStateAt(time, "equity");
  return state === "pre" || state === "regular" || state === "post" ? state : null;
}

/** Returns a note if the bars outside the regular session all have a volume of 0: the provider does not report it. */
export function volumeNote({ time, volume }: Bars): string | null {
  const outside = Array.from(time.keys()).filter((i) => barSession(time[i]!) !== "regular");
  return outside.length > 0 && outside.every((i) => volume[i] === 0)
    ? "The provider reports no volume outside the regular session: 0 there means unknown."
    : null;
}
