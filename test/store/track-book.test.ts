import { describe, expect, it } from "vitest";
import { signalId, trackBook } from "../../src/store/track-book.ts";
import { stoppedClock } from "../support/context.ts";
import { testStore } from "../support/store.ts";
import { loggedSignal } from "../support/track.ts";

const DAY = 86_400_000;
const clock = stoppedClock();
const decided = Date.parse(loggedSignal().decided_at);
const outcome = { horizon: 20, known_at: "2025-10-29T20:00:00.000Z", change: 0.0417, r: 1.75 } as const;

async function books() {
  const { db } = await testStore();
  const book = trackBook({ db, market: "test", clock });
  const count = async () => (await db.selectFrom("signals").select("id").execute()).length;
  return { db, book, count, other: trackBook({ db, market: "another", clock }) };
}
const of = { timeframe: "1d", model_version: "consensus-1.0.0" } as const;

describe("the book of signals", () => {
  it("writes the same signal once, and as another where anything that makes it differs", async () => {
    const { book, count, db } = await books();
    const one = loggedSignal();
    const [first] = await book.log([one, one]);
    // said again by a later run, in other words
    expect(await book.log([loggedSignal({ run_id: "r2", direction: "SHORT" })])).toEqual([first]);
    expect(await count()).toBe(1);
    expect(await db.selectFrom("signals").selectAll().executeTakeFirst()).toEqual({
      ...one,
      id: first,
      market: "test",
      logged_at: "2026-01-15T15:00:00.000Z",
    });
    await book.log([
      loggedSignal({ symbol: "MSFT" }),
      loggedSignal({ timeframe: "4h" }),
      loggedSignal({ decided_at: "2025-10-02T20:00:00.000Z" }),
      loggedSignal({ origin: "served" }),
      loggedSignal({ inputs_hash: "4567" }),
      loggedSignal({ model_version: "consensus-2" }),
    ]);
    expect(await count()).toBe(7);
  });

  it("keeps a signal without grade and score, WAIT too", async () => {
    const { book } = await books();
    const none = loggedSignal({ direction: "WAIT", grade: null, score: null, run_id: null });
    await book.log([none]);
    expect(await book.due(decided + 30 * DAY)).toMatchObject([
      { direction: "WAIT", grade: null, horizons: [5, 20] },
    ]);
  });

  it("tells what is due at a horizon once so much time has passed, until it is scored", async () => {
    const { book, other } = await books();
    const [id] = await book.log([loggedSignal()]);
    const horizons = async (days: number) =>
      (await book.due(decided + days * DAY)).map((one) => one.horizons);
    expect(await horizons(4)).toEqual([]);
    expect(await horizons(5)).toEqual([[5]]);
    expect(await horizons(60)).toEqual([[5, 20, 60]]);
    expect(await other.due(decided + 60 * DAY)).toEqual([]);
    expect(await book.score([{ id: id!, ...outcome }])).toBe(1);
    expect(await horizons(60)).toEqual([[5, 60]]);
    expect(await horizons(1_001), "no series reaches back so far").toEqual([]);
  });

  it("keeps the first outcome and tells how many were new", async () => {
    const { book } = await books();
    const [id] = await book.log([loggedSignal()]);
    await book.score([{ id: id!, ...outcome }]);
    expect(
      await book.score([
        { id: id!, ...outcome, change: 9 },
        { id: id!, ...outcome, horizon: 5, r: null },
      ]),
    ).toBe(1);
    expect((await book.scored(of)).map(({ horizon, change }) => [horizon, change])).toEqual([
      [5, 0.0417],
      [20, 0.0417],
    ]);
  });

  it("makes records of runs and replays alone, a bar of a symbol once, what was said at the time first", async () => {
    const { book, other } = await books();
    const said = [
      loggedSignal({ origin: "served", inputs_hash: "a" }),
      loggedSignal({ origin: "replay", grade: "B", inputs_hash: "b" }),
      loggedSignal({ origin: "scheduled", grade: "A", inputs_hash: "c" }),
      loggedSignal({ origin: "replay", symbol: "MSFT", grade: "C" }),
      loggedSignal({ origin: "scheduled", timeframe: "4h" }),
      loggedSignal({ origin: "scheduled", model_version: "consensus-2" }),
    ];
    const ids = await book.log(said);
    await book.score(ids.map((id) => ({ id, ...outcome })));
    expect((await book.scored(of)).map(({ grade }) => grade)).toEqual(["A", "C"]);
    expect(await book.scored(of)).toContainEqual({
      at: decided,
      known: Date.parse(outcome.known_at),
      ...{ asset_class: "equity", direction: "LONG", grade: "A", horizon: 20, change: 0.0417, r: 1.75 },
    });
    expect(await other.scored(of)).toEqual([]);
  });

  it("reads more outcomes than one page holds", async () => {
    const { book } = await books();
    const all = Array.from({ length: 2_600 }, (_, i) => loggedSignal({ symbol: `S${i}` }));
    const ids = await book.log(all);
    await book.score(ids.flatMap((id) => ([5, 20] as const).map((horizon) => ({ id, ...outcome, horizon }))));
    expect(await book.scored(of)).toHaveLength(5_200);
  });
});

it("names a signal alike in every process", () => {
  expect(signalId("test", loggedSignal())).toMatch(/^[0-9a-f]{24}$/);
  expect(signalId("test", loggedSignal())).toBe(
    signalId("test", loggedSignal({ run_id: null, logged: 1 } as object)),
  );
  expect(signalId("another", loggedSignal())).not.toBe(signalId("test", loggedSignal()));
});
