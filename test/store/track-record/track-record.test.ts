import { describe, expect, it } from "vitest";
import { trackRecord } from "../../../src/store/track-record/track-record.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { stoppedClock } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";
import { published, trackRow } from "../../support/track.ts";

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
    await db.updateTable("track_records").set({ said: '{"rows":1}' }).execute();
    expect(await trackRecord({ db, market: "test", model: "consensus-1.2.0" }).published("1d")).toBeNull();
  });
});
