import { describe, expect, it } from "vitest";
import { trackRecord } from "../../../src/store/track-record/track-record.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { stoppedClock } from "../../support/context.ts";
import { planOf } from "../../support/query-plan.ts";
import { testStore } from "../../support/store.ts";
import { loggedSignal, oddsForecast, published, trackRow } from "../../support/track.ts";

async function openFixture() {
  const { db } = await testStore();
  return { db, repository: trackRepository({ db, market: "test", clock: stoppedClock() }) };
}

describe("the published record", () => {
  it("is the record of the current model, and is read again after a new computation", async () => {
    const { repository, db } = await openFixture();
    const { published: read } = trackRecord({ db, market: "test", model: "consensus-1.2.0" });
    expect(await read("1d")).toBeNull();
    const record = published([trackRow()]);
    await repository.publish("1d", record);
    await repository.publish("1d", published([], { model_version: "consensus-2" }));
    expect(await read("1d")).toEqual(record);
    expect(await read("1d")).toBe(await read("1d"));
    expect(await read("4h")).toBeNull();
    expect(await trackRecord({ db, market: "another", model: "consensus-1.2.0" }).published("1d")).toBeNull();
    const later = published([trackRow({ n: 3 })], { computed_at: "2026-01-16T00:11:00.000Z" });
    await repository.publish("1d", later);
    expect(await read("1d")).toEqual(later);
  });

  it("is null for an invalid row", async () => {
    const { repository, db } = await openFixture();
    await repository.publish("1d", published([trackRow()]));
    await db.updateTable("track_records").set({ json: '{"rows":1}' }).execute();
    expect(await trackRecord({ db, market: "test", model: "consensus-1.2.0" }).published("1d")).toBeNull();
  });
});

describe("the pages of one symbol", () => {
  const outcome = {
    horizon: 20,
    known_at: "2025-10-29T20:00:00.000Z",
    change: 0.05,
    r: -1,
    highest: 0.06,
    lowest: -0.01,
    plan_end: "stop",
  } as const;
  const listed = async <Row>(pages: AsyncIterable<readonly Row[]>) => {
    const found: Row[] = [];
    for await (const page of pages) found.push(...page);
    return found;
  };

  it("are its signals of the current model and its forecasts, with the side of the levels", async () => {
    const { repository, db } = await openFixture();
    const short = { direction: "SHORT", stop: 104, target: 92 } as const;
    const ids = await repository.log([
      loggedSignal({ forecast: oddsForecast() }),
      loggedSignal({ ...short, symbol: "MSFT", forecast: oddsForecast() }),
      loggedSignal({ symbol: "MSFT", model_version: "consensus-2" }),
    ]);
    await repository.score(ids.map((id) => ({ id, ...outcome })));
    const { ofSymbol } = trackRecord({ db, market: "test", model: "consensus-1.2.0" });
    const { model_version, scored, observed } = ofSymbol("MSFT");
    expect(model_version).toBe("consensus-1.2.0");
    expect(await listed(scored())).toMatchObject([{ symbol: "MSFT", direction: "SHORT", r: -1 }]);
    expect(await listed(observed("1d"))).toMatchObject([
      { symbol: "MSFT", outcomes: [{ planEnd: "stop", planSide: "SHORT" }] },
    ]);
    expect(await listed(observed("1h"))).toEqual([]);
    expect(await listed(ofSymbol("NVDA").scored())).toEqual([]);
  });

  it("are found by an index", async () => {
    const { db } = await openFixture();
    for (const table of ["signals", "odds_answers"])
      expect(
        await planOf(
          db,
          `SELECT id FROM ${table} WHERE market = 'm' AND symbol = 's' AND timeframe = '1d' AND (decided_at, id) > ('', '') ORDER BY decided_at, id`,
        ),
      ).toContainEqual(expect.stringContaining(`${table}_of_symbol`));
  });
});
