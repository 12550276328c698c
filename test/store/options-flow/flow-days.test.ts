import { describe, expect, it } from "vitest";
import type { FlowDay } from "../../../src/domain/options-flow/options.ts";
import { flowDays } from "../../../src/store/options-flow/flow-days.ts";
import { collectingLog } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";

/** A snapshot of a date at a time (UTC), identified by its calls. */
const snapshot = (day: string, time: string, callVolume: number): FlowDay => ({
  day,
  at: Date.parse(`${day}T${time}Z`),
  callVolume,
  putVolume: 50,
  callPremium: null,
  putPremium: 1.5,
  atmIv: 0.2,
  putIv: null,
});
const openFlowDays = async () => {
  const { db } = await testStore();
  const { log, lines } = collectingLog();
  return { db, lines, ...flowDays({ db, market: "test", log }) };
};
const all = { until: Date.parse("2027-01-01"), limit: 600 };
const TUESDAY = "2026-01-13";
const WEDNESDAY = "2026-01-14";

describe("stored days of option flow", () => {
  it("are listed oldest first, each with its last snapshot at the requested time", async () => {
    const { save, days } = await openFlowDays();
    const stored = [
      snapshot(TUESDAY, "15:00:00", 1),
      snapshot(TUESDAY, "20:45:00", 2),
      snapshot(WEDNESDAY, "15:00:00", 3),
      snapshot(WEDNESDAY, "15:15:00", 4),
    ];
    for (const one of stored) await save("AAPL", one);
    expect(await days("AAPL", all)).toEqual([stored[1], stored[3]]);
    expect(await days("AAPL", { ...all, limit: 1 })).toEqual([stored[3]]);
    expect(await days("AAPL", { ...all, until: stored[3]!.at - 1 })).toEqual([stored[1], stored[2]]);
    expect(await days("AAPL", { ...all, until: stored[1]!.at - 1 })).toEqual([]);
    expect(await days("MSFT", all)).toEqual([]);
  });

  it("retain for a past day its last snapshot and the last one by the close", async () => {
    const { save, db, days } = await openFlowDays();
    for (const [i, time] of ["15:00:00", "20:59:00", "21:00:00", "21:15:00", "22:30:00"].entries())
      await save("AAPL", snapshot(TUESDAY, time, i));
    expect(await db.selectFrom("flow_snapshots").select("at").execute()).toHaveLength(5);
    await save("AAPL", snapshot(WEDNESDAY, "15:00:00", 9));
    const left = await db.selectFrom("flow_snapshots").select("at").orderBy("at").execute();
    expect(left.map(({ at }) => at)).toEqual([
      "2026-01-13T21:00:00.000Z",
      "2026-01-13T22:30:00.000Z",
      "2026-01-14T15:00:00.000Z",
    ]);
    const close = Date.parse("2026-01-13T21:00:00Z");
    expect(await days("AAPL", { until: close, limit: 5 })).toMatchObject([{ callVolume: 2 }]);
  });

  it("belong to one market, and the later of two at the same time replaces the other", async () => {
    const { save, db, days } = await openFlowDays();
    await save("AAPL", snapshot(TUESDAY, "15:00:00", 1));
    await save("AAPL", snapshot(TUESDAY, "15:00:00", 2));
    expect(await days("AAPL", all)).toMatchObject([{ callVolume: 2 }]);
    expect(await flowDays({ db, market: "another", log: collectingLog().log }).days("AAPL", all)).toEqual([]);
  });

  it.each(["{}", "[1]", '{"callVolume":-1}', "{"])("ignore an invalid row: %s", async (json) => {
    const { save, db, days } = await openFlowDays();
    await save("AAPL", snapshot(TUESDAY, "15:00:00", 1));
    await db.updateTable("flow_snapshots").set({ json }).execute();
    expect(await days("AAPL", all)).toEqual([]);
  });

  it("are lost and logged when they cannot be written", async () => {
    const { save, db, lines } = await openFlowDays();
    await db.schema.dropTable("flow_snapshots").execute();
    await save("AAPL", snapshot(TUESDAY, "15:00:00", 1));
    expect(lines).toMatchObject([{ level: "warn", event: "flow_snapshot_not_stored" }]);
  });
});
