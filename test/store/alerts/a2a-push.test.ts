import { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { ServerCallContext } from "@a2a-js/sdk/server";
import { describe, expect, it } from "vitest";
import { a2aPush } from "../../../src/store/alerts/a2a-push.ts";
import { countingIds } from "../../support/context.ts";
import { memorySecrets } from "../../support/memory-secrets.ts";
import { movingClock, testStore } from "../../support/store.ts";

const as = (userName: string, requestedVersion = "1.0") =>
  new ServerCallContext({ user: { isAuthenticated: true, userName }, requestedVersion });
const [ada, bob] = [as("ada"), as("bob")];
const config = (id = "", token = "canary-token") =>
  TaskPushNotificationConfig.fromJSON({ id, url: "https://canary.example.com/", token });

async function openPush(stored?: number) {
  const clock = movingClock();
  const { db } = await testStore();
  const secrets = memorySecrets();
  const ids = countingIds();
  const of = (market: string) =>
    a2aPush({ db, market, secrets, clock, ids, ...(stored !== undefined && { maxNotifications: stored }) });
  return { clock, db, secrets, of, push: of("test") };
}

describe("notifications in the store", () => {
  it("are found only by their account and market, with the protocol version of the request", async () => {
    const { of, push } = await openPush();
    await push.save("t", as("ada", "0.3"), config("a"));
    await push.save("t", ada, config("b"));
    expect(await push.loadWithMetadata("t", ada)).toEqual([
      { config: { ...config("a"), taskId: "t" }, wireVersion: "0.3" },
      { config: { ...config("b"), taskId: "t" }, wireVersion: "1.0" },
    ]);
    expect(await push.load("t", bob)).toEqual([]);
    expect(await push.load("u", ada)).toEqual([]);
    expect(await of("other").load("t", ada)).toEqual([]);
    await push.delete("t", bob, "a");
    await of("other").delete("t", ada, "a");
    expect(await push.load("t", ada)).toHaveLength(2);
  });

  it("get an id, and are replaced under the same id", async () => {
    const { push } = await openPush();
    const made = config();
    await push.save("t", ada, made);
    expect(made.id).toBe("00000000-0000-4000-8000-000000000001");
    await push.save("t", ada, config(made.id, "another"));
    expect((await push.load("t", ada)).map(({ token }) => token)).toEqual(["another"]);
  });

  it("store neither URL nor token in their rows, and no secret after deletion", async () => {
    const { db, push, secrets } = await openPush();
    await push.save("t", ada, config("a"));
    expect(JSON.stringify(await db.selectFrom("a2a_push").selectAll().execute())).not.toContain("canary");
    expect(await secrets.open("ada", "a2a-push|test|t|a")).toContain("canary");
    await push.delete("t", ada, "a");
    expect(await push.load("t", ada)).toEqual([]);
    expect(await secrets.open("ada", "a2a-push|test|t|a")).toBeNull();
  });

  it("are deleted beyond the maximum, oldest first, without affecting other accounts", async () => {
    const { push, clock, secrets } = await openPush(2);
    await push.save("theirs", bob, config("z"));
    for (const id of ["a", "b", "c"]) {
      clock.pass(1_000);
      await push.save(id, ada, config(id));
    }
    const left = await Promise.all(["a", "b", "c"].map((task) => push.load(task, ada)));
    expect(left.map((one) => one.length)).toEqual([0, 1, 1]);
    expect(await secrets.open("ada", "a2a-push|test|a|a")).toBeNull();
    expect(await push.load("theirs", bob)).toHaveLength(1);
  });
});
