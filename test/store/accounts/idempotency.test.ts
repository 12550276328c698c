import { describe, expect, it } from "vitest";
import type { IdempotentCall, IdempotentRun } from "../../../src/domain/accounts/idempotency-port.ts";
import { idempotency } from "../../../src/store/accounts/idempotency.ts";
import { countingIds } from "../../support/context.ts";
import { testHash } from "../../support/keyed-hash.ts";
import { movingClock, testStore } from "../../support/store.ts";

const DAY_MS = 24 * 60 * 60_000;
const ANSWER = { status: 200, headers: { "Content-Type": "application/json" }, body: '{"a":1}' };
const CALL: IdempotentCall = {
  account: "ada",
  key: "k",
  route: "POST /x",
  input: { api_key: "canary", b: [1, { d: 2, c: 3 }] },
  deadlineMs: 30_000,
};

async function openRepository() {
  const clock = movingClock();
  const { db } = await testStore();
  const ids = countingIds();
  const of = (market = "test", byte = 1, maxBytes = { account: 1e6, all: 1e6 }) => {
    const keyedHash = testHash(byte);
    const { begin } = idempotency({ db, market, clock, ids, keyedHash, maxBytes });
    return async (over: Partial<IdempotentCall> = {}) => begin({ ...CALL, ...over });
  };
  return { db, clock, of, begin: of() };
}
const begun = async (openFixture: Promise<{ readonly state: string }>): Promise<IdempotentRun> => {
  const found = await openFixture;
  expect(found.state).toBe("begun");
  return found as IdempotentRun;
};

describe("stored responses", () => {
  const body = "é".repeat(500); // 1,000 bytes
  /** Stores a response of 1,500 bytes with its row. */
  const store = async (
    begin: Awaited<ReturnType<typeof openRepository>>["begin"],
    key: string,
    account = "ada",
  ) => {
    const { complete } = await begun(begin({ key, account }));
    await complete({ ...ANSWER, body });
  };
  const refused = { code: "RATE_LIMITED", data: { retry_after: 60 } };

  it("are bounded in bytes per account; calls already stored are still replayed", async () => {
    const { of, clock } = await openRepository();
    const begin = of("test", 1, { account: 3_000, all: 1e6 });
    await store(begin, "1");
    await store(begin, "2");
    await expect(begin({ key: "3" })).rejects.toMatchObject(refused);
    expect(await begin({ key: "1" })).toMatchObject({ state: "done", response: { body } });
    await store(begin, "3", "bob");
    clock.pass(DAY_MS);
    await store(begin, "4");
  });

  it("are bounded in bytes in all", async () => {
    const { of } = await openRepository();
    const begin = of("test", 1, { account: 1e6, all: 3_000 });
    await store(begin, "1", "ada");
    await store(begin, "1", "bob");
    await expect(begin({ key: "1", account: "eve" })).rejects.toMatchObject({
      ...refused,
      message: /of this server/,
    });
  });
});

describe("a call", () => {
  it("begins once, runs until its response is stored, and then returns the stored response", async () => {
    const { begin } = await openRepository();
    const { complete: done } = await begun(begin());
    expect(await begin()).toEqual({ state: "running" });
    await done(ANSWER);
    for (const input of [CALL.input, { b: [1, { c: 3, d: 2 }], api_key: "canary" }])
      expect(await begin({ input })).toEqual({ state: "done", response: ANSWER });
  });

  it("that began while the clock was ahead waits for its deadline once more, then begins anew", async () => {
    const { begin, clock } = await openRepository();
    clock.pass(30 * DAY_MS);
    await begun(begin());
    clock.pass(-30 * DAY_MS);
    expect(await begin()).toEqual({ state: "running" });
    clock.pass(39_999);
    expect(await begin()).toEqual({ state: "running" });
    clock.pass(1);
    await begun(begin());
  });

  it("conflicts with another input or route, while it runs and later", async () => {
    const { begin } = await openRepository();
    const { complete: done } = await begun(begin());
    const others = [{ input: {} }, { input: { ...(CALL.input as object), b: 1 } }, { route: "PUT /x" }];
    for (const over of others) expect(await begin(over)).toEqual({ state: "other" });
    await done(ANSWER);
    for (const over of others) expect(await begin(over)).toEqual({ state: "other" });
  });

  it("belongs to one account and market", async () => {
    const { begin, of } = await openRepository();
    const mine = await begun(begin());
    const hers = await begun(begin({ account: "zoe", input: 1 }));
    const elsewhere = await begun(of("live")({ input: 2 }));
    await mine.complete(ANSWER);
    await hers.release();
    await begun(begin({ account: "zoe", input: 3 }));
    await elsewhere.complete({ ...ANSWER, status: 404 });
    expect(await begin()).toEqual({ state: "done", response: ANSWER });
    expect(await of("live")({ input: 2 })).toMatchObject({ response: { status: 404 } });
  });

  it("can begin again after it was released", async () => {
    const { begin } = await openRepository();
    const { release } = await begun(begin());
    await release();
    await begun(begin({ input: "another" }));
  });

  it("is taken over after the deadline, and the old run changes nothing", async () => {
    const { begin, clock } = await openRepository();
    const dead = await begun(begin());
    clock.pass(40_000 - 1);
    expect(await begin()).toEqual({ state: "running" });
    clock.pass(1);
    const next = await begun(begin());
    await dead.release();
    await dead.complete({ ...ANSWER, body: "late" });
    expect(await begin()).toEqual({ state: "running" });
    await next.complete(ANSWER);
    expect(await begin()).toEqual({ state: "done", response: ANSWER });
  });

  it("is stored for 24 hours after its response, and deleted by later calls", async () => {
    const { db, begin, clock } = await openRepository();
    const { complete: done } = await begun(begin());
    clock.pass(20_000);
    await done(ANSWER);
    clock.pass(DAY_MS - 1);
    expect((await begin()).state).toBe("done");
    clock.pass(1);
    await begun(begin({ input: "another" }));
    for (let n = 0; n < 50; n++) await (await begun(begin({ key: `k${n}` }))).complete(ANSWER);
    clock.pass(DAY_MS);
    const count = async () => (await db.selectFrom("idempotency").select("key").execute()).length;
    const counts = [await count()];
    for (let n = 0; n < 3; n++) {
      await begin({ key: `new${n}` });
      counts.push(await count());
    }
    expect(counts).toEqual([51, 32, 13, 3]);
  });

  it("stores only a keyed hash of its input", async () => {
    const { db, begin, of } = await openRepository();
    await begun(begin());
    const [row] = await db.selectFrom("idempotency").selectAll().execute();
    expect(JSON.stringify(row)).not.toContain("canary");
    expect(row!.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await of("test", 2)()).toEqual({ state: "other" });
  });
});
