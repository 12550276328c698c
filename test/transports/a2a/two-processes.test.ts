import { afterAll, beforeAll, expect, it } from "vitest";
import { type Installation, install, useInstallation } from "../../support/installation.ts";
import { begin, CONVERSATION_TOOLS, reply, skill, stateOf } from "./conversation.ts";
import { eventsIn, type Speaker, sending, speaker, waitLong } from "./fixture.ts";

const outside = { tools: { ...CONVERSATION_TOOLS, waitLong } };
const one = useInstallation("sample", {}, outside);
let other: Installation;
/** The same account at both servers of one database. */
let [here, there]: Speaker[] = [];
beforeAll(async () => {
  other = await install(one.dir, "sample", {}, outside);
  here = await speaker(one, "pro");
  const { key, account } = here;
  there = await speaker({ ...other, key: async () => ({ key, account, plan: "pro" }) });
});
afterAll(() => other.stop());

it("a question takes one of two replies at once, whichever process reads them", async () => {
  for (let round = 0; round < 10; round++) {
    const task = await begin(here!, skill("list_known", { symbols: ["Appel"] }));
    expect(stateOf(task)).toBe("INPUT_REQUIRED");
    const replies = await Promise.all([here!, there!].map((at) => reply(at, task, { text: "AAPL" })));
    const taken = replies.filter(({ status }) => status !== undefined);
    expect(taken.map(stateOf), JSON.stringify(replies)).toEqual(["COMPLETED"]);
    expect(replies.find(({ status }) => status === undefined)).toMatchObject({
      message: expect.stringMatching(/^The task (is still working|has ended)\. /),
    });
    const { result } = await there!.rpc("GetTask", { id: task.id });
    expect([result.status.state, result.artifacts.length]).toEqual(["TASK_STATE_COMPLETED", 1]);
  }
});

it("a task that another process runs is followed to its end, and counts as running", async () => {
  const params = {
    ...sending(skill("wait_long", { steps: 150 })),
    configuration: { returnImmediately: true },
  };
  const { id } = (await here!.rpc("SendMessage", params)).result.task;
  const running = () => one.app.store.db.selectFrom("a2a_running").select(["task", "account"]).execute();
  await expect.poll(running).toEqual([{ task: id, account: here!.account }]);
  const { leases } = await other.app.a2aTasks();
  expect(await leases.elsewhere(here!.account)).toBe(1);
  const { text } = await there!.post("/api/a2a", {
    jsonrpc: "2.0",
    id: 1,
    method: "SubscribeToTask",
    params: { id },
  });
  const events = eventsIn(text).map(({ result }) => result);
  expect(events[0]).toMatchObject({ task: { id, status: { state: "TASK_STATE_WORKING" } } });
  expect(events.at(-1)).toMatchObject({
    statusUpdate: { taskId: id, status: { state: "TASK_STATE_COMPLETED" } },
  });
  expect(events.filter(({ artifactUpdate }) => artifactUpdate !== undefined)).toHaveLength(1);
  await expect.poll(running).toEqual([]);
});

it("a task is followed to its end by another process from its first moment", async () => {
  const params = {
    ...sending(skill("wait_long", { steps: 25 })),
    configuration: { returnImmediately: true },
  };
  const { id } = (await here!.rpc("SendMessage", params)).result.task;
  const { text } = await there!.post("/api/a2a", {
    jsonrpc: "2.0",
    id: 1,
    method: "SubscribeToTask",
    params: { id },
  });
  const last = eventsIn(text).at(-1).result;
  expect(last).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
});
