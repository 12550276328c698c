import type { MarketTide, RatioTrend } from "../../domain/options-flow/tide.ts";
import { formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";

const none = "-";
const formatValue = (value: number | null): string => (value === null ? none : String(value));
const COLOURS = { BULLISH: "green", BEARISH: "red", NEUTRAL: "yellow" } as const;

export function formatTide(tide: MarketTide, paint: Paint): string {
  const { direction, basis, reason, put_call, days, coverage, provenance, intraday, net_premium } = tide;
  const ratios = Object.entries(put_call).filter(([, { days: known }]) => known > 0);
  return [
    direction === null
      ? `${paint("bold", "no direction")} ${coverage.reason ?? reason}`
      : `${paint(COLOURS[direction], direction)} ${paint("dim", basis!)}`,
    ...(provenance === null
      ? []
      : [
          paint(
            "dim",
            `ratios of ${provenance.provider}, as of ${provenance.as_of}${provenance.stale ? ", STALE: no response now" : ""}`,
          ),
        ]),
    ...ratios.map(([name, trend]) => formatTrend(name, trend)),
    ...(intraday === null
      ? [`intraday  none: ${tide.intraday_reason}`]
      : [
          `intraday  put/call ${formatValue(intraday.put_call)} of ${intraday.of.join(", ")}, a proxy, session ${intraday.session}, from ${intraday.provider}`,
        ]),
    ...(net_premium === null
      ? [`premium   none: ${tide.net_premium_reason}`]
      : [
          `premium   net calls $${net_premium.call.toLocaleString("en-US")}, net puts $${net_premium.put.toLocaleString("en-US")}, from ${net_premium.provider}`,
        ]),
    ...(days.length === 0
      ? []
      : formatTable(
          days,
          [
            { head: "date", cell: ({ date }) => date },
            ...(["total", "equity", "etp", "index"] as const).map((head) => ({
              head,
              cell: (day: (typeof days)[number]) => formatValue(day[head]),
            })),
          ],
          paint,
        )),
  ].join("\n");
}

const formatTrend = (name: string, { latest, mean_5, mean_20, trend }: RatioTrend): string =>
  `${name.padEnd(9)} ${formatValue(latest)}, 5 days ${formatValue(mean_5)}, 20 days ${formatValue(mean_20)}, ${trend ?? "no trend yet"}`;
