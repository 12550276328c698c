import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BacktestResult } from "../../src/domain/backtest/backtest.ts";
import { Metrics } from "../../src/domain/backtest/metrics.ts";
import { runBacktest } from "../../tools/run-backtest.ts";
import { type Installation, install } from "../support/installation.ts";
import { REFERENCE_NAMES } from "../support/reference-names.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { describeWithData } from "../support/test-data.ts";
import { openTransportClients, type TransportClient } from "../support/transport-clients.ts";

/** The reference runs as backtest requests. */
const RUNS = {
  "sma10_20_comm0.002_exclusive": {
    strategy: "sma_cross",
    params: { fast: 10, slow: 20 },
    commission: 0.002,
    slippage: 0,
  },
  "sma50_200_longonly_comm0.001": {
    strategy: "sma_cross",
    params: { fast: 50, slow: 200, side: "long" },
    commission: 0.001,
    slippage: 0,
    finalize: true,
  },
  "breakout20_atr_bracket_2x3_comm0.001": {
    strategy: "donchian_breakout",
    params: { period: 20, stop_atr: 2, target_atr: 3 },
    commission: 0.001,
    slippage: 0,
    finalize: true,
  },
};

const TRANSPORTS = 9;

describeWithData("a backtest of a folder of files over every transport", ["backtest"], (folder) => {
  const suite = suiteDir();
  let installation: Installation;
  let transports: readonly TransportClient[];
  beforeAll(async () => {
    installation = await install(suite.dir, `files:${folder}`);
    transports = await openTransportClients(installation);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(transports.map((transport) => transport.close()));
    await installation.stop();
    suite.remove();
  });
  const { runs } = JSON.parse(readFileSync(join(folder, "golden.json"), "utf8"));

  it.each(Object.entries(RUNS))(
    "equals backtesting.py 0.6.6 to the digits of an answer: %s",
    async (name, input) => {
      const stats: Readonly<Record<string, number>> = runs[name].stats;
      const answers = await Promise.all(
        transports.map((transport) =>
          transport.call(runBacktest, { symbol: "GOOG", ...input, picture: false, detail: "full" }),
        ),
      );
      expect(answers).toHaveLength(TRANSPORTS);
      for (const [i, answer] of answers.entries()) {
        const { name: transport } = transports[i]!;
        expect(answer, transport).not.toHaveProperty("code");
        const { metrics, undefined_metrics, trades, trades_left_out } = BacktestResult.parse(
          (answer as { data: unknown }).data,
        );
        expect(undefined_metrics, transport).toEqual([]);
        expect(farFrom(stats, metrics), transport).toEqual([]);
        expect(trades.length + trades_left_out, transport).toBe(stats["# Trades"]!);
      }
    },
    60_000,
  );
});

/**
 * Figures that differ from the reference as an answer shows it. The exact figures are compared in
 * test/analytics/backtest.
 */
function farFrom(stats: Readonly<Record<string, number>>, metrics: Metrics) {
  const names = Object.entries(REFERENCE_NAMES);
  const wanted = Object.fromEntries(names.map(([ours, theirs]) => [ours, stats[theirs]!]));
  const shown = Metrics.partial().parse(wanted) as Readonly<Record<string, number>>;
  return names.flatMap(([ours]) => {
    const [have, want] = [metrics[ours as keyof Metrics]!, shown[ours]!];
    return have === want ? [] : [{ figure: ours, have, want }];
  });
}
