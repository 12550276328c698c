import { describe, expect, it } from "vitest";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import type { ServedSignal } from "../../../src/domain/track-record/track-port.ts";
import { rowSignal } from "../../../src/features/signal/logged.ts";
import { invoke } from "../../../src/kernel/invoke.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { getSignalCard } from "../../../tools/get-signal-card.ts";
import { scanSymbols } from "../../../tools/scan-symbols.ts";
import { pro } from "../../support/context.ts";
import { engineRow } from "../../support/engine.ts";
import { smallMarket } from "../../support/market.ts";

function desk() {
  const kept: ServedSignal[] = [];
  const { ports: market } = smallMarket();
  const record = (one: ServedSignal) => void kept.push(one);
  const ports = { ...market, signalLog: { ...market.signalLog, record } };
  return { kept, as: { ports, principal: pro, transport: "test" } };
}

describe("a served signal", () => {
  it("is logged as returned by get_signal", async () => {
    const { kept, as } = desk();
    const { data } = await invoke(getSignal, { symbol: "AAPL" }, as);
    const { signal } = data;
    expect(kept).toEqual([
      {
        symbol: "AAPL",
        asset_class: "equity",
        timeframe: "1d",
        decided_at: data.bars.as_of,
        origin: "served",
        run_id: null,
        direction: signal.direction,
        grade: signal.grade,
        score: expect.closeTo(signal.score!, 2),
        tier: signal.tier,
        entry: signal.entry_zone.high,
        stop: signal.stop_loss,
        target: signal.targets[0],
        close: 137.375,
        inputs_hash: data.inputs_hash,
        model_version: MODEL_VERSION,
        bars: expect.objectContaining({ timeframe: "1d" }),
        odds: expect.objectContaining({
          stop_first: signal.odds!.stop_first,
          target_first: signal.odds!.target_first,
          neither: signal.odds!.neither,
          base: expect.objectContaining({
            windows: signal.odds!.base!.windows,
            n_eff: signal.odds!.base!.n_eff,
          }),
        }),
      },
    ]);
    expect(kept[0]!.bars!.close.at(-1)).toBe(137.375);
  });

  it("is logged the same from the card and the scan, and not for failed symbols", async () => {
    const { kept, as } = desk();
    await invoke(getSignal, { symbol: "AAPL" }, as);
    await invoke(getSignalCard, { symbol: "aapl" }, as);
    await invoke(scanSymbols, { symbols: ["AAPL", "ZZZZQ"] }, as);
    expect(kept).toHaveLength(3);
    expect(new Set(kept.map((one) => JSON.stringify(one))).size).toBe(1);
  });
});

it("converts a row of a run field by field", () => {
  const row = engineRow({ direction: "LONG", grade: "A", score: 85, tier: "HOT" });
  expect(rowSignal(row, "1d", { origin: "scheduled", run_id: "r1" })).toEqual({
    symbol: "AAPL",
    asset_class: "equity",
    timeframe: "1d",
    decided_at: "2026-01-14T21:00:00.000Z",
    origin: "scheduled",
    run_id: "r1",
    direction: "LONG",
    grade: "A",
    score: 85,
    tier: "HOT",
    entry: 100,
    stop: 95,
    target: 110,
    close: 100,
    inputs_hash: "0123",
    model_version: "consensus-9",
  });
});
