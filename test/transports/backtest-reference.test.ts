import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BacktestResult } from "../../src/domain/backtest/backtest.ts";
import type { Metrics } from "../../src/domain/backtest/metrics.ts";
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
  },
  "sma50_200_longonly_comm0.001": {
    strategy: "sma_cross",
    params: { fast: 50, slow: 200, side: "long" },
    commission: 0.001,
    finalize: true,
  },
  "breakout20_atr_bracket_2x3_comm0.001": {
    strategy: "donchian_breakout",
    params: { period: 20, stop_atr: 2, target_atr: 3 },
    commission: 0.001,
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
    "equals backtesting.py 0.6.6 to a relative error of 1e-9: %s",
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

/** Figures whose relative difference from the reference exceeds 1e-9. */
const farFrom = (stats: Readonly<Record<string, number>>, metrics: Metrics) =>
  Object.entries(REFERENCE_NAMES).flatMap(([ours, theirs]) => {
    const [have, want] = [metrics[ours as keyof Metrics]!, stats[theirs]!];
    return Math.abs(have - want) <= 1e-9 * Math.abs(want) ? [] : [{ figure: ours, have, want }];
  });
