import type {
  ChartBar,
  ChartIndicator,
  ChartLevel,
  ChartMark,
  PriceChartData,
} from "../../charts/chart-data.ts";
import { planLevels, structureOf } from "../../views/signal/chart-data.ts";
import { type Plan, signalFacts } from "../../views/signal/facts.ts";
import type { SymbolPage } from "./use-symbol.ts";

export const LAYERS = {
  plan: "Plan",
  fan: "Range ahead",
  structure: "Wyckoff and Elliott",
  prints: "Off-exchange levels",
  marks: "News and events",
  levels: "My levels",
  order: "Checked order",
} as const;
export type LayerName = keyof typeof LAYERS;

interface ChartRequest {
  /** null while what was known at the moment shown is loading. */
  readonly page: SymbolPage | null;
  /** Plan that is known before the rest of the page. */
  readonly plan: Plan | null;
  readonly bars: readonly ChartBar[];
  readonly forming: ChartBar | null;
  readonly later: readonly ChartBar[];
  readonly indicators: readonly ChartIndicator[];
  readonly layers: ReadonlySet<LayerName>;
  readonly saved: readonly { readonly price: number; readonly label: string | null }[];
  /** Levels of the order that was checked last. */
  readonly order: readonly ChartLevel[];
  readonly compare: NonNullable<PriceChartData["compare"]> | null;
}

/** Number of off-exchange levels on the chart. */
const PRINTS = 8;
const USD = new Intl.NumberFormat("en-US", {
  notation: "compact",
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 1,
});

/** Returns what the chart of the page draws, without the layers that are off. */
export function chartOf({ page, bars, layers, ...given }: ChartRequest): PriceChartData {
  const facts = page?.signal ? signalFacts(page.signal) : null;
  const plan = layers.has("plan") ? (facts?.plan ?? given.plan) : null;
  const structure =
    facts !== null && layers.has("structure") ? structureOf(facts) : { events: [], range: null, path: [] };
  const drawn = planLevels(plan);
  return {
    bars,
    forming: given.forming,
    later: given.later,
    indicators: given.indicators,
    compare: given.compare,
    plan: plan && {
      entryLow: plan.entry.low,
      entryHigh: plan.entry.high,
      stop: plan.stop,
      target: plan.targets[0]!,
    },
    levels: [
      ...drawn,
      ...(layers.has("order")
        ? given.order.filter(({ price }) => !drawn.some((level) => level.price === price))
        : []),
      ...(layers.has("levels")
        ? given.saved.map(({ price, label }) => ({ price, text: label ?? "level", tone: "warn" as const }))
        : []),
    ],
    ...structure,
    fan: layers.has("fan") ? (page?.odds?.ranges ?? []) : [],
    prints: layers.has("prints") ? printsOf(page) : [],
    marks: layers.has("marks") ? marksOf(page) : [],
  };
}

function printsOf(page: SymbolPage | null) {
  const levels = (page?.off_exchange?.levels ?? []).slice(0, PRINTS);
  const most = Math.max(...levels.map(({ notional }) => notional ?? 0));
  return levels.map(({ price, notional }) => ({
    price,
    share: (notional ?? 0) / most,
    text: USD.format(notional ?? 0),
  }));
}

function marksOf(page: SymbolPage | null): readonly ChartMark[] {
  const events = (page?.events ?? []).flatMap(({ kind, date }): ChartMark[] =>
    kind === "holiday" ? [] : [{ kind, date }],
  );
  const news = (page?.news ?? []).flatMap(({ published_at: date }): ChartMark[] =>
    date === null ? [] : [{ kind: "news", date }],
  );
  return [...events, ...news];
}
