import { describe, expect, it } from "vitest";
import type { Horizon } from "../../../src/domain/track-record/track.ts";
import { dueSignals } from "../../../src/store/track-record/due-signals.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { stoppedClock } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";
import { loggedSignal } from "../../support/track.ts";

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
    (await dueSignals({ db, market }, decided + days * DAY)).map((one) => one.horizons);
  return { db, repository, horizons };
}

describe("signals that are due", () => {
  it("are due at a horizon once its bars have closed", async () => {
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

  it("are not due at horizons that are scored", async () => {
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
    const due = await dueSignals({ db, market: "test" }, decided + 5 * (DAY / 6));
    expect(due).toMatchObject([{ symbol: "AAPL", timeframe: "4h", horizons: [5], stop: 97, target: 106 }]);
  });
});
