import { describe, expect, it } from "vitest";
import type { FailedJobs } from "../../src/domain/jobs-port.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { retryJob } from "../../tools/retry-job.ts";
import { pro } from "../support/context.ts";
import { marketOf } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";
import { testCli } from "../transports/cli/test-host.ts";

const failedJobs: FailedJobs = {
  counts: async () => [{ kind: "nightly_shard", state: "dead", count: 1 }],
  list: async () => [
    {
      id: 12,
      kind: "nightly_shard",
      run: "00000000-0000-4000-8000-000000000001",
      payload: { symbols: ["AAPL"] },
      state: "dead",
      attempts: 5,
      error: "STORAGE_BUSY: The database is locked",
      result: null,
      addedAt: "2026-01-15T15:00:00.000Z",
      startedAt: "2026-01-15T15:00:01.000Z",
      endedAt: "2026-01-15T15:00:07.000Z",
    },
  ],
  async retry(id) {
    if (id !== 12) throw new ToolError("NOT_FOUND", `There is no failed job ${id}`);
    return "A server or worker does the job again.";
  },
};
const ports = { ...marketOf({ bars: {} }).ports, failedJobs };
const owner = { ...pro, account: "owner" };
const call = (input: object, principal: typeof pro = owner) =>
  invoke(retryJob, input, { ports, principal, transport: "test" });

describe("retry_job", () => {
  it("lists failed jobs with their reasons, and has one done again", async () => {
    const failed = { job: 12, attempts: 5, error: "STORAGE_BUSY: The database is locked" };
    expect(await call({})).toMatchObject({ retried: false, failed: [failed] });
    expect(await call({ retry: 12 })).toMatchObject({
      retried: true,
      hint: "A server or worker does the job again.",
    });
    await expect(call({ retry: 13 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("shows other accounts only the counts, unless they have the admin scope", async () => {
    const ada = { ...pro, account: "ada" };
    expect(await call({}, ada)).toMatchObject({ failed: [], counts: [{ state: "dead", count: 1 }] });
    await expect(call({ retry: 12 }, ada)).rejects.toMatchObject({ code: "SCOPE_REQUIRED" });
    const admin = { ...ada, scopes: [...pro.scopes, "admin"] } as typeof pro;
    expect(await call({ retry: 12 }, admin)).toMatchObject({ retried: true });
  });

  it("prints them in a terminal", async () => {
    const { code, out } = await testCli({ tools: [retryJob], ports }).run("jobs");
    expect([code, out.split("\n")]).toEqual([
      0,
      [
        "nightly_shard dead 1",
        "12 nightly_shard of run 00000000, 5 attempts: STORAGE_BUSY: The database is locked",
        "Remove the cause, then pass the number of a job as retry.",
        "",
      ],
    ]);
  });
});

toolContract(retryJob, { ports });
