import { expect, it } from "vitest";
import { fixedQuery } from "../../src/store/fixed-query.ts";
import { addAccount, testStore } from "../support/store.ts";

it("builds its SQL once, and runs it with the values of each call", async () => {
  const { db } = await testStore();
  for (const id of ["a", "b"]) await addAccount(db, id);
  let built = 0;
  const find = fixedQuery(db, ["id", "least"], ({ id, least }) => {
    built++;
    return db
      .selectFrom("accounts")
      .select("id")
      .where("created_at", ">", least)
      .where("id", "=", id)
      .where("suspended_at", "is", null)
      .where((is) => is.or([is("plan", "!=", "none"), is("plan", "is", null)]));
  });
  expect(built).toBe(0);
  expect(await find({ id: "b", least: "" })).toEqual({ id: "b" });
  expect(await find({ id: "a", least: "" })).toEqual({ id: "a" });
  // values that look like those that stand for others
  expect(await find({ id: "value of least", least: "" })).toBeUndefined();
  expect(await find({ id: "a", least: "~" })).toBeUndefined();
  expect(built).toBe(1);
});
