import { expect } from "vitest";
import { serverClock } from "../../../src/store/postgres/server-clock.ts";
import { onPostgres } from "../../support/postgres.ts";
import { testStore } from "../../support/store.ts";

onPostgres.it("two machines whose clocks are two minutes apart have the time of the database", async () => {
  const { db } = await testStore();
  const off = (ms: number) => ({ now: () => new Date(Date.now() + ms) });
  const clocks = await Promise.all([-60_000, 0, 60_000].map((ms) => serverClock(db, off(ms))));
  // the database of the tests runs on this machine
  for (const clock of clocks) expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(5_000);
  for (const clock of clocks) clock.close();
});
