import { expect, it } from "vitest";
import { openProviderRequestLog } from "../../../src/store/market/provider-calls.ts";
import { collectingLog } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";

const AT = Date.parse("2026-01-15T15:00:00Z");

it("stores requests by provider in order, as long as they count", async () => {
  const { db } = await testStore();
  const { log } = collectingLog();
  const calls = await openProviderRequestLog({ db, log }, AT - 86_400_000);
  expect(calls.before).toEqual(new Map());
  calls.record("one", AT + 2);
  calls.record("one", AT + 1);
  calls.record("two", AT);
  await calls.close();
  const again = await openProviderRequestLog({ db, log }, AT + 1);
  expect(again.before).toEqual(new Map([["one", [AT + 1, AT + 2]]]));
  expect((await openProviderRequestLog({ db, log }, AT - 1)).before.has("two")).toBe(false);
});

it("deletes requests of more than a day ago as new ones are stored", async () => {
  const { db } = await testStore();
  const { log } = collectingLog();
  const calls = await openProviderRequestLog({ db, log }, AT);
  calls.record("one", AT);
  await calls.close();
  calls.record("one", AT + 86_400_001);
  await calls.close();
  expect(await db.selectFrom("provider_calls").select("at").execute()).toEqual([{ at: AT + 86_400_001 }]);
});

it("logs a call that cannot be stored", async () => {
  const { db } = await testStore();
  const { log, lines } = collectingLog();
  const calls = await openProviderRequestLog({ db, log }, AT);
  await db.schema.dropTable("provider_calls").execute();
  calls.record("one", AT);
  await calls.close();
  expect(lines).toMatchObject([
    { level: "warn", event: "provider_call_not_stored", fields: { provider: "one" } },
  ]);
});
