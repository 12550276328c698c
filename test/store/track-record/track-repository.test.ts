import { describe, expect, it } from "vitest";
import { signalId, trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { stoppedClock } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";
import { loggedSignal } from "../../support/track.ts";

const DAY = 86_400_000;
const clock = stoppedClock();
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

async function openFixture() {
  const { db } = await testStore();
  const repository = trackRepository({ db, market: "test", clock });
  const count = async () => (await db.selectFrom("signals").select("id").execute()).length;
  return { db, repository, count };
}

describe("the signals of a market", () => {
  it("stores a signal once, and another one for any differing identifying field", async () => {
    const { repository, count, db } = await openFixture();
    const one = loggedSignal();
    const [first] = await repository.log([one, one]);
    // repeated by a later run, with another direction
    expect(await repository.log([loggedSignal({ run_id: "r2", direction: "SHORT" })])).toEqual([first]);
    expect(await count()).toBe(1);
    expect(await db.selectFrom("signals").selectAll().executeTakeFirst()).toEqual({
      ...one,
      id: first,
      market: "test",
      logged_at: "2026-01-15T15:00:00.000Z",
    });
    await repository.log([
      loggedSignal({ symbol: "MSFT" }),
      loggedSignal({ timeframe: "4h" }),
      loggedSignal({ decided_at: "2025-10-02T20:00:00.000Z" }),
      loggedSignal({ origin: "served" }),
      loggedSignal({ inputs_hash: "4567" }),
      loggedSignal({ model_version: "consensus-2" }),
    ]);
    expect(await count()).toBe(7);
  });

  it("stores a signal without grade and score, including WAIT", async () => {
    const { repository, db } = await openFixture();
    const none = loggedSignal({ direction: "WAIT", grade: null, score: null, run_id: null });
    await repository.log([none]);
    expect(await repository.due(decided + 30 * DAY)).toMatchObject([
      { signal: { direction: "WAIT" }, horizons: [5, 20] },
    ]);
    expect(await db.selectFrom("signals").selectAll().execute()).toMatchObject([none]);
  });

  it("stores the first base of an outcome, also one that the outcome lacked", async () => {
    const { repository, db } = await openFixture();
    const [id] = await repository.log([loggedSignal()]);
    await repository.score([{ id: id!, ...outcome }]);
    const basesOf = () => db.selectFrom("base_results").selectAll().execute();
    expect(await basesOf()).toEqual([]);
    const based = { id: id!, ...outcome, base: { long: 0.5, short: null } };
    expect(await repository.score([based])).toBe(0);
    await repository.score([{ ...based, base: { long: 9, short: 9 } }]);
    expect(await basesOf()).toEqual([{ id, long_r: 0.5, short_r: null }]);
    const pages = [];
    const model = { timeframe: "1d", model_version: loggedSignal().model_version } as const;
    for await (const page of repository.scored(model)) pages.push(...page);
    expect(pages).toMatchObject([{ symbol: "AAPL", r: 1.75, base: { long: 0.5, short: null } }]);
  });

  it("stores only the first outcome, and returns the number of new ones", async () => {
    const { repository, db } = await openFixture();
    const [id] = await repository.log([loggedSignal()]);
    await repository.score([{ id: id!, ...outcome }]);
    expect(
      await repository.score([
        { id: id!, ...outcome, change: 9 },
        { id: id!, ...outcome, horizon: 5, r: null },
      ]),
    ).toBe(1);
    const stored = await db.selectFrom("signal_outcomes").selectAll().orderBy("horizon").execute();
    expect(stored.map(({ horizon, change }) => [horizon, change])).toEqual([
      [5, 0.0417],
      [20, 0.0417],
    ]);
  });
});

it("derives the same signal id in every process", () => {
  expect(signalId("test", loggedSignal())).toMatch(/^[0-9a-f]{24}$/);
  expect(signalId("test", loggedSignal())).toBe(
    signalId("test", loggedSignal({ run_id: null, logged: 1 } as object)),
  );
  expect(signalId("another", loggedSignal())).not.toBe(signalId("test", loggedSignal()));
});
