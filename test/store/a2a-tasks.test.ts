import { randomUUID } from "node:crypto";
import { type Task, TaskState } from "@a2a-js/sdk";
import { ServerCallContext } from "@a2a-js/sdk/server";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { a2aTasks } from "../../src/store/a2a-tasks.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import type { Store } from "../../src/store/store.ts";
import { onSqlite } from "../support/postgres.ts";
import { addAccount, fileStore, movingClock, testStore } from "../support/store.ts";

const START = new Date("2026-01-15T15:00:00.000Z");
const { TASK_STATE_WORKING: WORKING, TASK_STATE_COMPLETED: COMPLETED } = TaskState;
const { TASK_STATE_FAILED: FAILED } = TaskState;

const as = (userName: string) => new ServerCallContext({ user: { isAuthenticated: true, userName } });
const one = as("one");
const other = as("other");

async function openTasks(stored?: number, opened: Promise<Pick<Store, "db">> = testStore()) {
  const clock = movingClock(START);
  const { db } = await opened;
  const of = (mode: "sample" | "files") =>
    a2aTasks({
      db,
      market: { mode },
      clock,
      ids: { uuid: randomUUID },
      ...(stored !== undefined && { maxTasks: stored }),
    });
  const task = (id: string, state: TaskState = COMPLETED): Task => ({
    id,
    contextId: "c",
    status: { state, timestamp: clock.now().toISOString(), message: undefined },
    artifacts: [],
    history: [],
    metadata: {},
  });
  const list = async (context = one, more = {}) =>
    of("sample").list({ tenant: "", contextId: "", pageToken: "", ...more } as never, context);
  return { clock, db, of, tasks: of("sample"), task, list };
}
const ids = ({ tasks }: { readonly tasks: readonly Task[] }) => tasks.map(({ id }) => id);

describe("tasks in the database", () => {
  it("are found only by the account that sent them", async () => {
    const { tasks, task, list } = await openTasks();
    await tasks.save(task("a"), one);
    expect((await tasks.load("a", one))?.status?.state).toBe(COMPLETED);
    expect(await tasks.load("a", other)).toBeUndefined();
    expect(ids(await list())).toEqual(["a"]);
    expect(ids(await list(other))).toEqual([]);
  });

  it("may have the same id in two accounts", async () => {
    const { tasks, task } = await openTasks();
    await tasks.save(task("a"), one);
    await tasks.save(task("a", FAILED), other);
    expect((await tasks.load("a", one))?.status?.state).toBe(COMPLETED);
  });

  // PostgreSQL has no setting that fills its disk
  onSqlite.it("are held in memory while the disk is full, and stored again afterwards", async () => {
    const { db, tasks, task } = await openTasks();
    await sql`pragma max_page_count = 1`.execute(db);
    const large = { ...task("a"), contextId: "x".repeat(900_000) };
    await tasks.save(large, one);
    expect((await tasks.load("a", one))?.contextId).toBe(large.contextId);
    expect(await tasks.load("a", other)).toBeUndefined();
    await sql`pragma max_page_count = 100000`.execute(db);
    await tasks.save(task("a", FAILED), one);
    expect((await tasks.load("a", one))?.status?.state).toBe(FAILED);
  });

  it("are held in memory at once while another process writes, and stored when it ends", async () => {
    const store = await fileStore();
    const { db, tasks, task, list } = await openTasks(undefined, Promise.resolve(store));
    const other = new Database(store.file);
    onTestFinished(() => void other.close());
    other.exec("begin immediate");
    const ended: string[] = [];
    const end = (name: string) => () => void ended.push(name);
    const write = addAccount(db).then(end("write"), end("busy"));
    await tasks.save(task("a", WORKING), one).then(end("save"));
    await tasks.save(task("a"), one);
    await tasks.save(task("b"), one);
    expect((await tasks.load("a", one))?.status?.state).toBe(COMPLETED);
    expect(ids(await list())).toEqual([]);
    other.exec("commit");
    await write;
    expect(ended).toEqual(["save", "write"]);
    await vi.waitFor(async () => {
      const { tasks: listed } = await list();
      expect(listed.map(({ id, status }) => [id, status?.state])).toEqual([
        ["b", COMPLETED],
        ["a", COMPLETED],
      ]);
    });
  });

  it("belong to the market of the request", async () => {
    const { of, task } = await openTasks();
    await of("sample").save(task("a"), one);
    expect(await of("files").load("a", one)).toBeUndefined();
  });

  it("are listed newest first, in pages", async () => {
    const { tasks, task, list, clock } = await openTasks();
    for (const id of ["a", "b", "c"]) {
      await tasks.save(task(id), one);
      clock.pass(1_000);
    }
    const first = await list(one, { pageSize: 2 });
    expect([ids(first), first.totalSize]).toEqual([["c", "b"], 3]);
    expect(ids(await list(one, { pageSize: 2, pageToken: first.nextPageToken }))).toEqual(["a"]);
  });

  it("are deleted beyond the maximum, oldest first, without affecting other accounts", async () => {
    const { tasks, task, list, clock } = await openTasks(2);
    await tasks.save(task("theirs"), other);
    for (const id of ["a", "b", "c"]) {
      clock.pass(1_000);
      await tasks.save(task(id), one);
    }
    expect(ids(await list())).toEqual(["c", "b"]);
    expect(ids(await list(other))).toEqual(["theirs"]);
  });

  it("fail with a message after the server stopped", async () => {
    const { tasks, task, list, clock } = await openTasks();
    await tasks.save(task("a", WORKING), one);
    clock.pass(60_000);
    expect((await tasks.load("a", one))?.status?.state).toBe(WORKING);
    clock.pass(1);
    const left = await tasks.load("a", one);
    expect(left?.status).toMatchObject({
      state: FAILED,
      message: {
        parts: [{ content: { value: "The server stopped before this task ended. Send it again." } }],
      },
    });
    await tasks.save(task("b", WORKING), one);
    clock.pass(60_000 + 1);
    expect((await list()).tasks.map(({ status }) => status?.state)).toEqual([FAILED, FAILED]);
  });
});
