import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import pg from "pg";

/** Clock ticks a second, in which Linux counts processor time. */
const TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Processor time that a process of this machine has used, ms. Linux only. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000;
}

/** Reads the processor time that the connections of a database have used on this machine, ms. */
export async function openDatabaseTime(
  url: string,
): Promise<{ read(): Promise<number>; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  /** Time of each connection when it was read last; one that has ended keeps it. */
  const times = new Map<number, number>();
  return {
    async read() {
      const { rows } = await client.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()",
      );
      for (const { pid } of rows) times.set(pid, processorMs(pid));
      return [...times.values()].reduce((sum, ms) => sum + ms, 0);
    },
    close: () => client.end(),
  };
}
