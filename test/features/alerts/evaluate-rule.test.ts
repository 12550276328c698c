import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { WatchedSubscription } from "../../../src/domain/alerts/alerts-port.ts";
import type { Ports } from "../../../src/domain/ports.ts";
import {
  checkRuleSubscription,
  evaluateRule,
  parseRule,
} from "../../../src/features/alerts/evaluate-rule.ts";
import { marketOf } from "../../support/market.ts";
import { barsAround } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

interface Case {
  readonly closes: readonly number[];
  readonly op: "crosses_above" | "crosses_below";
  readonly level: number;
  readonly right_bars: readonly number[];
}
const DAY = 86_400_000;
const FIRST = Date.UTC(2020, 0, 1);

describeWithData("crossings through equality of alerts", ["numbers", "cross.json"], (path) => {
  const { cross } = JSON.parse(readFileSync(path, "utf8")) as { readonly cross: readonly Case[] };

  it.each(cross)("fire once at each bar of $op $level, daily or after a pause", async (one) => {
    const rule = `close ${one.op} ${one.level}`;
    /** Alerts of a subscription that is evaluated after these bars. */
    const fired = async (evaluated: readonly number[]) => {
      const alerts: string[] = [];
      let seen: Record<string, string> = {};
      for (const bar of evaluated) {
        const at = new Date(FIRST + (bar + 1) * DAY);
        const clock = { now: () => at };
        const { ports } = marketOf({ bars: { "BTC-USD": barsAround(one.closes) }, clock });
        const instrument = ports.symbols.resolve("BTC-USD").instrument;
        const evaluation = await evaluateRule(
          parseRule(rule),
          { instrument, timeframe: "1d" },
          new AbortController().signal,
          ports as unknown as Ports,
        );
        if (evaluation === null) continue;
        const watcher = {
          account: "ada",
          seen,
          subscription: { subscription_id: "su_1", condition: { rule } },
        } as unknown as WatchedSubscription;
        const series = { symbol: "BTC-USD", timeframe: "1d" } as const;
        const update = checkRuleSubscription(watcher, series, {
          at,
          evaluation,
          asset_class: "crypto",
          market: ports.market,
        });
        if (update === null) continue;
        seen = { "BTC-USD": update.now };
        alerts.push(...update.alerts.map(({ as_of }) => as_of));
      }
      return alerts.map((as_of) => (Date.parse(as_of) - FIRST) / DAY - 1);
    };
    expect(await fired([...one.closes.keys()])).toEqual(one.right_bars);
    expect(await fired([1, one.closes.length - 1])).toEqual(one.right_bars);
  });
});
