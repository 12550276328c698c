import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import type { PagePrice, SymbolEvent } from "../../domain/signal/symbol-page.ts";
import type { Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { formatSignal } from "./signal.text.ts";

const MAX_TITLE_LENGTH = 160;

interface SymbolPage {
  readonly symbol: string;
  readonly name: string;
  readonly currency: string;
  readonly price: PagePrice;
  readonly signal: Parameters<typeof formatSignal>[0]["data"] | null;
  readonly signal_reason: string | null;
  readonly bars: { readonly count: number; readonly data_as_of: string } | null;
  readonly bars_reason: string | null;
  readonly events: readonly SymbolEvent[] | null;
  readonly events_reason: string | null;
  readonly news: readonly { readonly title: string; readonly published_at: string }[] | null;
  readonly news_reason: string | null;
}

/** Formats a symbol page: price line, signal, next events and headlines. */
export function formatSymbolPage(page: SymbolPage, paint: Paint): string {
  const { symbol, name, signal, signal_reason, events, news, bars } = page;
  const missing = (what: string, reason: string | null) =>
    paint("dim", `no ${what}: ${reason ?? "none known"}`);
  return [
    `${paint("bold", symbol)}  ${name}  ${priceLine(page, paint)}`,
    signal === null
      ? missing("signal", signal_reason)
      : formatSignal({ data: signal, data_as_of: page.price.price_as_of ?? signal.bars.as_of }, paint),
    ...(bars === null ? [missing("bars", page.bars_reason)] : []),
    ...(events === null || events.length === 0
      ? [missing("events", page.events_reason)]
      : ["Next events", ...events.map(({ date, detail }) => `  ${date}  ${detail}`)]),
    ...(news === null || news.length === 0
      ? [missing("news", page.news_reason)]
      : [
          "News",
          ...news.map(
            ({ title, published_at }) =>
              `  ${published_at.slice(0, 16)}Z  ${quoted(title, MAX_TITLE_LENGTH)}`,
          ),
          paint("dim", QUOTED_TEXT_NOTICE),
        ]),
  ].join("\n");
}

function priceLine({ price, currency }: SymbolPage, paint: Paint): string {
  const { change, change_percent, change_of, previous_close, last_close_day } = price;
  const value = price.price ?? price.last_close;
  if (value === null) return paint("dim", "no price");
  const day = change_of === "last_close" ? ` close of ${last_close_day}` : "";
  if (change === null || change_percent === null || previous_close === null)
    return `${formatPrice(value)} ${currency}${day}`;
  const sign = change < 0 ? "-" : "+";
  const moved = `${sign}${Math.abs(change_percent).toFixed(2)}% from ${formatPrice(previous_close)}`;
  return `${formatPrice(value)} ${currency}${day} ${paint(change < 0 ? "red" : "green", moved)}`;
}
