import { expect, it } from "vitest";
import type { JobStatus } from "../../../src/domain/jobs-port.ts";
import { testCli } from "./test-host.ts";

const dead: JobStatus = {
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
};
const cli = (all: readonly JobStatus[]) =>
  testCli({
    jobs: {
      counts: async () => ({ running: 2, ...(all.length > 0 && { dead: all.length }) }),
      dead: async () => all,
      retry: async (id) => all.some((job) => job.id === id),
    },
  });

it("jobs lists the failed ones with the reason, and how to do one again", async () => {
  const { code, out } = await cli([dead]).run("jobs");
  expect(code).toBe(0);
  expect(out.split("\n")).toEqual([
    "pending 0  running 2  done 0  dead 1",
    "job  kind                run  attempts  failed",
    "12   nightly_shard  00000000         5  2026-01-15T15:00:07.000Z",
    "12: STORAGE_BUSY: The database is locked",
    "market-signal jobs retry <job> does one again",
    "",
  ]);
  expect((await cli([]).run("jobs")).out).toBe("pending 0  running 2  done 0  dead 0\n");
  expect(JSON.parse((await cli([dead]).run("jobs", "--json")).out)).toEqual({
    ok: true,
    counts: { running: 2, dead: 1 },
    dead: [dead],
  });
});

it("jobs retry does a failed job again, and refuses any other", async () => {
  expect(JSON.parse((await cli([dead]).run("jobs", "retry", "12", "--json")).out)).toEqual({
    ok: true,
    id: 12,
    state: "pending",
  });
  expect((await cli([dead]).run("jobs", "retry", "12")).out.split("\n")[0]).toBe(
    "A server or worker does job 12 again.",
  );
  for (const id of ["13", "x"]) {
    const { code, err } = await cli([dead]).run("jobs", "retry", id);
    expect(code).toBe(1);
    expect(err).toContain(`There is no failed job ${id}`);
  }
});
