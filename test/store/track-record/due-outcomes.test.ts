import { describe, expect, it } from "vitest";
import type { Horizon } from "../../../src/domain/track-record/track.ts";
import { dueOutcomes, dueOutcomesOf } from "../../../src/store/track-record/due-outcomes.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { stoppedClock } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";
import { loggedOdds, loggedSignal } from "../../support/track.ts";

const DAY = 86_400_000;
const decided = Date.parse(loggedSignal().decided_at);
const outcome = (horizon: Horizon) => ({
  horizon,
  known_at: "2025-10-29T20:00:00.000Z",
  change: 0.04,
  r: null,
  highest: 0.06,
  lowest: -0.01,
  plan_end: null,
});

async function openFixture() {
  const { db } = await testStore();
  const repository = trackRepository({ db, market: "test", clock: stoppedClock() });
  const horizons = async (days: number, market = "test") =>
    (await dueOutcomes({ db, market }, decided + days * DAY)).map((one) => one.horizons);
  return { db, repository, horizons };
}

describe("outcomes that are due", () => {
  it("are those of each horizon whose bars have closed", async () => {
    const { repository, horizons } = await openFixture();
    await repository.log([loggedSignal()]);
    expect(await horizons(4)).toEqual([]);
    expect(await horizons(5)).toEqual([[5]]);
    expect(await horizons(19)).toEqual([[5]]);
    expect(await horizons(20)).toEqual([[5, 20]]);
    expect(await horizons(59)).toEqual([[5, 20]]);
    for (const days of [60, 70, 71, 999]) expect(await horizons(days)).toEqual([[5, 20, 60]]);
    expect(await horizons(1_001), "no series reaches back so far").toEqual([]);
    expect(await horizons(60, "another")).toEqual([]);
  });

  it("are not those that are scored", async () => {
    const { repository, horizons } = await openFixture();
    const [id, other] = await repository.log([loggedSignal(), loggedSignal({ symbol: "MSFT" })]);
    await repository.score([{ id: id!, ...outcome(20) }]);
    await repository.score(([5, 20, 60] as const).map((horizon) => ({ id: other!, ...outcome(horizon) })));
    expect(await horizons(60)).toEqual([[5, 60]]);
    await repository.score([5, 60].map((horizon) => ({ id: id!, ...outcome(horizon as Horizon) })));
    expect(await horizons(60)).toEqual([]);
  });

  it("are found on every timeframe, counted in its bars", async () => {
    const { repository, db } = await openFixture();
    await repository.log([loggedSignal({ timeframe: "4h" })]);
    const due = await dueOutcomes({ db, market: "test" }, decided + 5 * (DAY / 6));
    const signal = { direction: "LONG", close: 100, stop: 97, target: 106 };
    expect(due).toMatchObject([{ symbol: "AAPL", timeframe: "4h", horizons: [5], signal }]);
  });

  it("include odds without a signal, which have no levels", async () => {
    const { repository, horizons, db } = await openFixture();
    await repository.logOdds([loggedOdds()]);
    expect(await horizons(4)).toEqual([]);
    const due = await dueOutcomes({ db, market: "test" }, decided + 20 * DAY);
    expect(due).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        symbol: "AAPL",
        timeframe: "1d",
        decided_at: "2025-10-01T20:00:00.000Z",
        signal: null,
        horizons: [5, 20],
      },
    ]);
    await repository.score([{ id: due[0]!.id, ...outcome(5) }]);
    expect(await horizons(60)).toEqual([[20, 60]]);
    expect(await horizons(60, "another")).toEqual([]);
  });

  it("are found once whatever the size of the pages in which they are read", async () => {
    const { repository, db } = await openFixture();
    const symbols = ["A", "B", "C", "D", "E", "F", "G"];
    const sameBar = symbols.map((symbol) => loggedSignal({ symbol }));
    const nextBar = loggedSignal({ symbol: "H", decided_at: new Date(decided + DAY).toISOString() });
    const ids = await repository.log([...sameBar, nextBar]);
    await repository.score([{ id: ids[2]!, ...outcome(5) }]);
    for (const pageSize of [1, 2, 3, 7, 8, 9]) {
      const due = await dueOutcomes({ db, market: "test" }, decided + 8 * DAY, pageSize);
      expect(due.map(({ symbol }) => symbol).sort(), `${pageSize}`).toEqual([
        "A",
        "B",
        "D",
        "E",
        "F",
        "G",
        "H",
      ]);
    }
  });

  it("of a series are the same as of all, at every age, from a time on", async () => {
    const { repository, db } = await openFixture();
    const ids = await repository.log([
      ...[0, 1, 3].map((days) => loggedSignal({ decided_at: new Date(decided + days * DAY).toISOString() })),
      loggedSignal({ timeframe: "4h" }),
      loggedSignal({ symbol: "MSFT" }),
    ]);
    await repository.logOdds([loggedOdds()]);
    await repository.score([{ id: ids[1]!, ...outcome(20) }]);
    const scope = { db, market: "test" };
    const nextDay = new Date(decided + DAY).toISOString();
    for (const days of [4, 5, 7, 10, 19, 20, 23, 60, 64, 999, 1_001, 1_003, 1_004]) {
      const now = decided + days * DAY;
      const all = await dueOutcomes(scope, now);
      for (const symbol of ["AAPL", "MSFT"])
        for (const timeframe of ["1d", "4h"] as const) {
          for (const since of ["2020-01-01T00:00:00.000Z", loggedSignal().decided_at, nextDay]) {
            const found = await dueOutcomesOf(scope, { symbol, timeframe, since }, now);
            const ofSeries = all.filter(
              (due) => due.symbol === symbol && due.timeframe === timeframe && due.decided_at >= since,
            );
            const sorted = (due: typeof found) => [...due].sort((a, b) => (a.id < b.id ? -1 : 1));
            expect(sorted(found), `${symbol} ${timeframe} after ${days} days`).toEqual(sorted(ofSeries));
          }
        }
    }
  });
});
