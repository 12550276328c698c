import { type SettledCall, shareOfCalls } from "../../analytics/track/share-of-calls.ts";
import { AssetClass } from "../../domain/market/market.ts";
import type { CallResult, CheckedOrder } from "../../domain/track-record/calls-port.ts";
import type { CheckRecord, CheckRecordRow } from "../../domain/track-record/check-record.ts";

const EVENTS = ["fill", "stop_first", "target_first"] as const satisfies readonly CheckRecordRow["event"][];
const SIDES = ["LONG", "SHORT"] as const;
const BINS = 10;

/** A settled order: its events with their odds and base. */
interface SettledOrder extends Pick<SettledCall, "symbol" | "from" | "until"> {
  readonly asset_class: AssetClass;
  readonly side: CheckedOrder["plan"]["side"];
  readonly events: Readonly<
    Partial<Record<CheckRecordRow["event"], Pick<SettledCall, "happened" | "odds" | "base">>>
  >;
}

/** A record of the odds of checked orders by one method; it holds a few figures of each order. */
export function checkRecordFold(version: string) {
  const orders: SettledOrder[] = [];
  return {
    add(page: readonly (CheckedOrder & { readonly result: CallResult })[]): void {
      for (const order of page)
        if (order.version === version && order.result !== "unknown")
          orders.push(settledOrder(order, order.result));
    },
    /** Returns the rows of each event, of all classes and of each, on both sides and on each; null without orders. */
    result(computed_at: string): CheckRecord | null {
      if (orders.length === 0) return null;
      const rows = EVENTS.flatMap((event) =>
        [null, ...AssetClass.options].flatMap((asset_class) =>
          [null, ...SIDES].flatMap((side) => {
            const found = orders.flatMap(({ events, ...order }) => {
              const isWanted =
                (asset_class === null || order.asset_class === asset_class) &&
                (side === null || order.side === side);
              const one = events[event];
              return isWanted && one !== undefined ? [{ ...order, ...one }] : [];
            });
            return found.length === 0 ? [] : [{ event, asset_class, side, ...rowOf(found) }];
          }),
        ),
      );
      return {
        computed_at,
        version,
        orders: orders.length,
        from: new Date(Math.min(...orders.map(({ from }) => from))).toISOString(),
        until: new Date(Math.max(...orders.map(({ from }) => from))).toISOString(),
        rows,
      };
    },
  };
}

function settledOrder(order: CheckedOrder, { filled, end }: Exclude<CallResult, "unknown">): SettledOrder {
  const { symbol, asset_class, plan, recorded_at, until, odds, base } = order;
  // without a base, there is nothing to compare with
  const event = (name: CheckRecordRow["event"], happened: boolean) =>
    odds[name] === null || base[name] === null
      ? {}
      : { [name]: { happened, odds: odds[name], base: base[name] } };
  return {
    symbol,
    asset_class,
    side: plan.side,
    from: Date.parse(recorded_at),
    until: Date.parse(until),
    events: {
      ...event("fill", filled),
      ...(filled && { ...event("stop_first", end === "stop"), ...event("target_first", end === "target") }),
    },
  };
}

/** Returns the figures of at least one event. */
function rowOf(calls: readonly SettledCall[]): Omit<CheckRecordRow, "event" | "asset_class" | "side"> {
  const { n, n_eff, odds, happened, interval, base } = shareOfCalls(calls);
  const reliability = Array.from({ length: BINS }, (_, bin) => {
    const inBin = calls.filter((call) => Math.min(BINS - 1, Math.floor(call.odds! * BINS + 1e-9)) === bin);
    const share = shareOfCalls(inBin);
    return inBin.length === 0 ? [] : [{ odds: share.odds!, happened: share.happened!, n: share.n }];
  }).flat();
  return { n, n_eff, odds: odds!, happened: happened!, interval: interval!, base: base!, reliability };
}
