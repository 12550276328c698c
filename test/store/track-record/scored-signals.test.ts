import { describe, expect, it } from "vitest";
import type { LoggedSignal, ScoredSignal } from "../../../src/domain/track-record/track.ts";
import { scoredSignals } from "../../../src/store/track-record/scored-signals.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { movingClock, testStore } from "../../support/store.ts";
import { loggedSignal } from "../../support/track.ts";

const decided = Date.parse(loggedSignal().decided_at);
const outcome = {
  horizon: 20,
  known_at: "2025-10-29T20:00:00.000Z",
  change: 0.0417,
  r: 1.75,
  highest: 0.06,
  lowest: -0.01,
  plan_end: "target",
} as const;
const of = { timeframe: "1d", model_version: "consensus-1.2.0" } as const;

async function openFixture() {
  const { db } = await testStore();
  const clock = movingClock();
  const repository = trackRepository({ db, market: "test", clock });
  const pages = async (market = "test") => {
    const found: (readonly ScoredSignal[])[] = [];
    for await (const page of scoredSignals({ db, market }, of)) found.push(page);
    return found;
  };
  return {
    repository,
    clock,
    pages,
    all: async (market?: string) => (await pages(market)).flat(),
    async record(...signals: readonly LoggedSignal[]) {
      const ids = await repository.log(signals);
      await repository.score(ids.map((id) => ({ id, ...outcome })));
    },
  };
}

describe("scored signals of a record", () => {
  it("come from runs and replays only, once per symbol and bar, scheduled before replayed", async () => {
    const { record, all } = await openFixture();
    await record(
      loggedSignal({ origin: "served", inputs_hash: "a" }),
      loggedSignal({ origin: "replay", grade: "B", inputs_hash: "b" }),
      loggedSignal({ origin: "scheduled", grade: "A", inputs_hash: "c" }),
      loggedSignal({ origin: "replay", symbol: "MSFT", grade: "C" }),
      loggedSignal({ origin: "scheduled", timeframe: "4h" }),
      loggedSignal({ origin: "scheduled", model_version: "consensus-2" }),
    );
    const found = await all();
    expect(found.map(({ grade }) => grade)).toEqual(["A", "C"]);
    expect(found[0]).toEqual({
      at: decided,
      known: Date.parse(outcome.known_at),
      symbol: "AAPL",
      asset_class: "equity",
      direction: "LONG",
      grade: "A",
      horizon: 20,
      change: 0.0417,
      r: 1.75,
    });
    expect(await all("another")).toEqual([]);
  });

  it("are the earliest of equal origin, even before it has an outcome", async () => {
    const { repository, clock, record, all } = await openFixture();
    await repository.log([loggedSignal({ symbol: "MSFT" })]);
    await record(loggedSignal({ grade: "A" }));
    clock.pass(1_000);
    for (const inputs_hash of ["1", "2", "3"])
      await record(
        loggedSignal({ inputs_hash, grade: "F" }),
        loggedSignal({ symbol: "MSFT", inputs_hash, grade: "F" }),
      );
    expect((await all()).map(({ grade }) => grade)).toEqual(["A"]);
  });

  it("are ordered by decision time, with all horizons of a signal together", async () => {
    const { repository, all } = await openFixture();
    const days = [3, 1, 2].map((day) => loggedSignal({ decided_at: `2025-10-0${day}T20:00:00.000Z` }));
    const ids = await repository.log(days);
    await repository.score(
      ids.flatMap((id) => ([60, 5, 20] as const).map((horizon) => ({ id, ...outcome, horizon }))),
    );
    expect((await all()).map(({ at, horizon }) => [new Date(at).getUTCDate(), horizon])).toEqual(
      [1, 2, 3].flatMap((day) => [5, 20, 60].map((horizon) => [day, horizon])),
    );
  });

  it("are paged, each bar once even when its signals span two pages", async () => {
    const { record, all, pages } = await openFixture();
    const symbols = Array.from({ length: 601 }, (_, i) => `S${i}`);
    await record(...symbols.map((symbol) => loggedSignal({ symbol, origin: "replay", grade: "F" })));
    await record(...symbols.map((symbol) => loggedSignal({ symbol, grade: "A" })));
    // 500 of 1,202 signals a page, so 250 bars with an outcome; the last bar is still incomplete
    expect((await pages()).map((page) => page.length)).toEqual([249, 250, 102]);
    expect((await all()).map(({ grade }) => grade)).toEqual(symbols.map(() => "A"));
  });

  it("are empty when nothing is logged", async () => expect(await (await openFixture()).pages()).toEqual([]));
});
