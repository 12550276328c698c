import { expect, it } from "vitest";
import type { SyncedPositions } from "../../../src/domain/trading/positions-port.ts";
import { positionRepository } from "../../../src/store/trading/positions.ts";
import { movingClock, testStore } from "../../support/store.ts";

const synced = (connection: string, minute: number, quantity = "1.5"): SyncedPositions => ({
  connection,
  at: `2026-01-15T15:0${minute}:00.000Z`,
  positions: [
    {
      symbol: "AAPL",
      quantity,
      averagePrice: "100.05",
      since: "2026-01-15T15:00:00.000Z",
      opening: {
        at: "2026-01-14T21:00:00.000Z",
        direction: "LONG",
        grade: "A",
        score: 80.5,
        stop: 96.25,
        stopSource: "order",
      },
    },
    {
      symbol: "BTC-USD",
      quantity: "-0.000000001",
      averagePrice: "90000",
      since: "2026-01-15T15:00:00.000Z",
      opening: null,
    },
  ],
});

async function openRepository() {
  const { db } = await testStore();
  const clock = movingClock(new Date("2026-01-15T15:10:00Z"));
  return { db, clock, repository: positionRepository({ db, market: "test", clock }) };
}

it("stores the last positions of a broker by account and market", async () => {
  const { db, clock, repository } = await openRepository();
  await repository.saveSynced("ada", synced("cn_2", 1));
  await repository.saveSynced("ada", synced("cn_1", 1));
  await repository.saveSynced("ada", synced("cn_1", 2, "-3"));
  expect(await repository.listSynced("ada")).toEqual([synced("cn_1", 2, "-3"), synced("cn_2", 1)]);
  expect(await repository.listSynced("bob")).toEqual([]);
  expect(await positionRepository({ db, market: "another", clock }).listSynced("ada")).toEqual([]);
});

it("keeps the newer of two responses, in any order of writing", async () => {
  const { repository } = await openRepository();
  await repository.saveSynced("ada", synced("cn_1", 2));
  await repository.saveSynced("ada", synced("cn_1", 1, "9"));
  expect(await repository.listSynced("ada")).toEqual([synced("cn_1", 2)]);
});

it("replaces a response from the future, stored while the clock was ahead", async () => {
  const { clock, repository } = await openRepository();
  await repository.saveSynced("ada", synced("cn_1", 9));
  clock.pass(-8 * 60_000);
  await repository.saveSynced("ada", synced("cn_1", 2, "9"));
  expect(await repository.listSynced("ada")).toEqual([synced("cn_1", 2, "9")]);
});

it("deletes the positions of one connection of one account", async () => {
  const { repository } = await openRepository();
  for (const connection of ["cn_1", "cn_2"]) await repository.saveSynced("ada", synced(connection, 1));
  await repository.saveSynced("bob", synced("cn_1", 1));
  await repository.removeSynced("ada", "cn_1");
  expect((await repository.listSynced("ada")).map(({ connection }) => connection)).toEqual(["cn_2"]);
  expect((await repository.listSynced("bob")).map(({ connection }) => connection)).toEqual(["cn_1"]);
});

it("stores imported positions by label, separate from synced ones", async () => {
  const { db, clock, repository } = await openRepository();
  const result = (label: string, minute: number) => {
    const { at, positions } = synced("cn_1", minute);
    return { label, at, positions };
  };
  await repository.saveSynced("ada", synced("cn_1", 1));
  await repository.saveImported("ada", result("IRA", 1));
  await repository.saveImported("ada", result("IRA", 2));
  await repository.saveImported("ada", result("Bank", 1));
  await repository.saveImported("bob", result("IRA", 3));
  expect(await repository.listImported("ada")).toEqual([result("Bank", 1), result("IRA", 2)]);
  expect(await repository.listSynced("ada")).toEqual([synced("cn_1", 1)]);
  expect(await repository.removeImported("ada", "IRA")).toBe(true);
  expect(await repository.removeImported("ada", "IRA")).toBe(false);
  expect((await repository.listImported("bob")).map(({ label }) => label)).toEqual(["IRA"]);
  expect(await positionRepository({ db, market: "another", clock }).listImported("ada")).toEqual([]);
});

it("stores at most twenty labels of an account, and nothing beyond", async () => {
  const { repository } = await openRepository();
  const record = (n: number) =>
    repository.saveImported("ada", { label: `${n}`, at: "2026-01-15T15:00:00.000Z", positions: [] });
  for (let n = 1; n <= 20; n++) await record(n);
  await expect(record(21)).rejects.toMatchObject({ code: "REFUSED" });
  await record(20);
  expect(await repository.listImported("ada")).toHaveLength(20);
});

it("omits and counts invalid positions", async () => {
  const { db, repository } = await openRepository();
  const [position] = synced("cn_1", 1).positions;
  const large = { ...position, quantity: "400000000000000000" };
  const at = "2026-01-15T15:00:00.000Z";
  await repository.saveImported("ada", { label: "IRA", at, positions: [position!] });
  await repository.saveSynced("ada", synced("cn_1", 1));
  const damage = async (positions: string) => {
    await db.updateTable("imported_positions").set({ positions }).execute();
    await db.updateTable("synced_positions").set({ positions }).execute();
  };
  await damage(JSON.stringify([large, position]));
  expect(await repository.listImported("ada")).toEqual([
    { label: "IRA", at, positions: [position], unread: 1 },
  ]);
  expect(await repository.listSynced("ada")).toMatchObject([
    { connection: "cn_1", positions: [position], unread: 1 },
  ]);
  await damage("{");
  expect(await repository.listImported("ada")).toEqual([{ label: "IRA", at, positions: [], unread: 1 }]);
  expect(await repository.removeImported("ada", "IRA")).toBe(true);
});
