import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { getSignalCard } from "../../tools/get-signal-card.ts";
import { pro } from "../support/context.ts";
import { smallMarket, withOmittedRow } from "../support/market.ts";
import { invalidAmongOthers } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const call = { ports, principal: pro, transport: "test" };

const NO_WAVE = {
  available: false,
  label: null,
  pattern: null,
  direction: null,
  target: null,
  targets: [],
  invalidation: null,
  guidelines_met: null,
  rivals: 0,
  path: [],
  violated: [],
};

describe("get_signal_card", () => {
  it("returns the signal of get_signal in the older shape", async () => {
    const { data, ok, symbol } = await invoke(getSignalCard, { symbol: "AAPL" }, call);
    const { signal, event_risk } = (await invoke(getSignal, { symbol: "AAPL" }, call)).data;
    expect({ ok, symbol }).toEqual({ ok: true, symbol: "AAPL" });
    expect(data).toEqual({
      // by hand: (141.63 - 138) / (138 - 135.87)
      entry_state: "above",
      rr_now: 1.7042,
      conflicts: [
        {
          code: "price_outside_entry",
          text: "The price 138.00 is above the entry zone 137.13 - 137.63: reward to risk is 1.70 there",
        },
      ],
      direction: "LONG",
      reason: null,
      confidence: 0,
      confidence_basis: "odds",
      agreement: 0.5,
      odds: signal.odds,
      odds_reason: null,
      tier: "HOT",
      score: signal.score,
      grade: "A+",
      ics: {
        score: null,
        conviction: "INSUFFICIENT",
        source: "none",
        reason: "No provider of off-exchange prints is connected",
        volume_proxy: signal.ics.volume_proxy,
        tests: 0,
        hold_rate: null,
        control_rate: null,
      },
      wyckoff: {
        phase: "Undetermined",
        sub_phase: null,
        narrative: "Undetermined: No trading range in the bars given.",
        range: null,
        events: [],
      },
      elliottWave: { ...NO_WAVE, reason: expect.stringMatching(/\w/) },
      entry: 137.63,
      stop: 135.87,
      target: 141.63,
      rr: 2.27, // (141.63 - 137.63) / (137.63 - 135.87)
      levels_basis: "signal",
      price: 138,
      price_source: "live_quote",
      price_as_of: "2026-01-15T14:50:00.000Z",
      price_reason: null,
      asset_class: "equity",
      venue: "XTST",
      source: "fixture",
      as_of: "2026-01-14T21:00:00.000Z",
      event_risk,
      notes: [],
    });
  });

  it("repeats the card in flat fields, with the Elliott block as wave", async () => {
    const { data, ok, symbol, ...flat } = await invoke(getSignalCard, { symbol: "AAPL" }, call);
    const { direction, confidence, tier, ics, wyckoff, elliottWave, entry, stop, target, rr } = data;
    expect(flat).toEqual({
      label: "SAMPLE (simulated)",
      direction,
      confidence,
      tier,
      ics,
      wyckoff,
      wave: elliottWave,
      entry,
      stop,
      target,
      rr,
    });
  });

  it("notes the rows left out of its bars", async () => {
    const { data } = await invoke(
      getSignalCard,
      { symbol: "AAPL" },
      { ...call, ports: withOmittedRow(ports) },
    );
    expect(data.notes).toEqual(["1 row of bars was left out: 1 without a valid price (2026-01-12)."]);
  });

  it("has a null price with the reason without a quote", async () => {
    const { data } = await invoke(getSignalCard, { symbol: "MSFT" }, call);
    expect(data).toMatchObject({ direction: "SHORT", price: null, price_source: null, stop: 164.13 });
    expect(data.price_reason).toMatch(/\w/);
  });

  it("takes the symbol under its older name, sym, or as symbol", async () => {
    await expect(invoke(getSignalCard, { sym: "AAPL" }, call)).resolves.toMatchObject({ symbol: "AAPL" });
    await expect(invoke(getSignalCard, {}, call)).rejects.toMatchObject(invalidAmongOthers("/symbol"));
    await expect(invoke(getSignalCard, { symbol: "APPL" }, call)).rejects.toMatchObject({
      code: "UNKNOWN_SYMBOL",
      data: { price: null },
    });
  });
});

toolContract(getSignalCard, { ports });
