import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compile, serveOn } from "../support/compiled.ts";
import { reservedPort } from "../support/free-port.ts";
import { suiteDir } from "../support/temp-dir.ts";
import type { Proof } from "./proof.ts";

const SERVERS = { quick: 1, full: 5 } as const;
const PROCESSES = 2;
/** Time within which a server whose workers ended together answers again. Held at full scale, without other load. */
const MAX_BACK_MS = 5_000;
const PATIENCE_MS = 60_000;
/** What is sent to how many workers, the one with the background work first. */
const ATTACKS: readonly (readonly [string, NodeJS.Signals, number])[] = [
  ["all killed", "SIGKILL", PROCESSES],
  ["one stopped", "SIGSTOP", 1],
  ["all stopped", "SIGSTOP", PROCESSES],
];
const REQUEST_TIMEOUT_MS = 1_000;

type Server = Awaited<ReturnType<typeof serveOn>>;

/** Ends and stops the workers of a server. */
export const supervisor: Proof = {
  name: "supervisor",
  claim: "A server whose workers are all killed, stopped or hang answers again, each worker replaced",

  async run({ scale, report }) {
    if (!existsSync("/proc/self/task")) return { figure: "skipped: needs /proc of Linux", broken: [] };
    const built = await compile();
    const broken: string[] = [];
    const slowest: Record<string, number> = {};
    try {
      for (let round = 0; round < SERVERS[scale]; round++) {
        const { dir, remove } = suiteDir();
        const env = { DATA_DIR: join(dir, "data"), HOME: dir, LOG_LEVEL: "warn" };
        const options = ["--processes", String(PROCESSES), "--port", String(await reservedPort())];
        const server = await serveOn(built.product, env, options);
        try {
          if (!(await becomes(server, () => allAnswer(server.url))))
            throw new Error(`not all workers started: ${server.seen.err}`);
          for (const [name, signal, count] of ATTACKS) {
            const logged = server.seen.err.length;
            const missing = (what: string) =>
              broken.push(`${name}: ${what}: ${server.seen.err.slice(logged)}`);
            const attacked = workersOf(server).slice(0, count);
            for (const pid of attacked) process.kill(pid, signal);
            const attackedAt = performance.now();
            const isBack = async () =>
              !workersOf(server).some((pid) => attacked.includes(pid)) && (await answer(server.url)) !== null;
            if (!(await becomes(server, isBack))) missing("no answer within a minute");
            const back = performance.now() - attackedAt;
            slowest[name] = Math.max(slowest[name] ?? 0, back);
            if (signal === "SIGKILL" && scale === "full" && back > MAX_BACK_MS)
              broken.push(`${name}: back after ${Math.round(back)} ms`);
            if (!(await becomes(server, () => allAnswer(server.url))))
              missing("not every worker is replaced");
          }
          server.child.kill("SIGTERM");
          const code = await Promise.race([server.ended, sleep(PATIENCE_MS, "still running")]);
          if (code !== 0) broken.push(`ended with ${code}: ${server.seen.err}`);
          report(`server ${round + 1}: ${describe(slowest)}`);
        } finally {
          server.child.kill("SIGKILL");
          await server.ended;
          remove();
        }
      }
      return {
        figure: `${SERVERS[scale]} servers of ${PROCESSES} processes, slowest until the workers are gone and a request is answered: ${describe(slowest)}; ${broken.length} faults`,
        broken,
      };
    } finally {
      built.remove();
    }
  },
};

const describe = (times: Readonly<Record<string, number>>): string =>
  Object.entries(times)
    .map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)} s`)
    .join(", ");

/** Process ids of the workers of a server. */
const workersOf = ({ child: { pid } }: Server): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

/** Waits until a condition holds; false after a minute, or once the server has ended. */
async function becomes(server: Server, holds: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end && server.child.exitCode === null) {
    if (await holds()) return true;
    await sleep(20);
  }
  return false;
}

/** The start time of the worker that answers a request on a new connection; null without an answer. */
async function answer(url: string): Promise<string | null> {
  const options = { headers: { connection: "close" }, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
  try {
    const { started_at } = (await (await fetch(`${url}/status`, options)).json()) as { started_at: string };
    return started_at;
  } catch {
    return null;
  }
}

/** Returns true if each worker answers: new connections go to the workers in turn. */
async function allAnswer(url: string): Promise<boolean> {
  const found = new Set<string | null>();
  for (let i = 0; i < 2 * PROCESSES; i++) found.add(await answer(url));
  return found.size === PROCESSES && !found.has(null);
}
