import { expect, it } from "vitest";
import { compare, countRows, deleteRows, listRows, updateRows } from "../../src/store/queries.ts";
import { addAccount, testStore } from "../support/store.ts";

async function openAccounts() {
  const { db } = await testStore();
  for (const id of ["a", "b", "c"]) await addAccount(db, id);
  const ids = async (filter: Parameters<typeof listRows<"accounts">>[2]) =>
    (await listRows(db, "accounts", filter, { order: ["id desc"] })).map(({ id }) => id);
  return { db, ids };
}

it("matches values, null, lists and comparisons", async () => {
  const { ids } = await openAccounts();
  expect(await ids({ id: "a", overrides: null })).toEqual(["a"]);
  expect(await ids({ id: ["c", "a"] })).toEqual(["c", "a"]);
  expect(await ids({ id: compare({ ">": "a", "<=": "c" }) })).toEqual(["c", "b"]);
  expect(await ids({ id: compare({ "not in": ["a"] }), overrides: compare({ "!=": null }) })).toEqual([]);
});

it("matches nothing for an empty list", async () => {
  const { db, ids } = await openAccounts();
  expect(await ids({ id: [] })).toEqual([]);
  expect(await deleteRows(db, "accounts", { id: [] })).toBe(0);
  expect(await countRows(db, "accounts", {})).toBe(3);
});

it("rejects an object as a value, even one with the name of an operator", async () => {
  const { db, ids } = await openAccounts();
  const id = { "!=": "" } as never;
  await expect(ids({ id })).rejects.toThrow();
  await expect(updateRows(db, "accounts", { id }, { plan: "pro" })).rejects.toThrow();
  await expect(deleteRows(db, "accounts", { id })).rejects.toThrow();
  expect(await countRows(db, "accounts", {})).toBe(3);
});

it("deletes at most the given number of rows", async () => {
  const { db, ids } = await openAccounts();
  expect(await deleteRows(db, "accounts", { id: ["a", "b"] }, 1)).toBe(1);
  expect(await ids({})).toHaveLength(2);
});
