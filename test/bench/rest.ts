import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { createInterface } from "node:readline";
import { compile } from "../support/compiled.ts";

const PATH = "/api/v1/quote/AAPL";
const ROUNDS = 5;
const WRK = ["-t1", "-c32", "-d5s"];
const WARM_UP = ["-t1", "-c32", "-d3s"];

/**
 * Requests per second for one cached quote with a key through the entire program, compared with a bare Hono handler
 * that returns the same bytes through the same listener. Compiled as shipped, each in a separate process, measured in
 * turn.
 */
export async function run(): Promise<void> {
  if (spawnSync("wrk", ["-v"]).error !== undefined) {
    console.log("This needs wrk: apt-get install wrk, brew install wrk, or https://github.com/wg/wrk");
    process.exitCode = 1;
    return;
  }
  const built = compile("test/bench/rest/whole.ts", "test/bench/rest/bare.ts");
  const running: Server[] = [];
  const start = async (file: string, ...args: string[]) => {
    const server = await serverOf([...built.script(file), ...args]);
    running.push(server);
    return server;
  };
  try {
    const whole = await start("test/bench/rest/whole.ts");
    const response = await fetch(whole.url + PATH, { headers: whole.headers });
    const bytes = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${bytes}`);
    console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}`);
    console.log(`GET ${PATH}, ${bytes.length} bytes, wrk ${WRK.join(" ")}, ${ROUNDS} rounds in turns\n`);
    await start("test/bench/rest/bare.ts", PATH, bytes);
    for (const server of running) measure(server, WARM_UP);
    const rounds = Array.from({ length: ROUNDS }, () => running.map((server) => measure(server, WRK)));
    for (const [i, name] of ["the whole program", "a bare Hono handler"].entries()) {
      const speeds = rounds.map((round) => round[i]!);
      const rounded = speeds.map((speed) => Math.round(speed)).join(" ");
      console.log(`${name.padEnd(20)} ${Math.round(median(speeds))} requests/s (${rounded})`);
    }
    const share = median(rounds.map(([whole, bare]) => whole! / bare!));
    console.log(`the whole program does ${share.toFixed(2)} of the bare handler, median of the rounds`);
  } finally {
    for (const { stop } of running) await stop();
    built.remove();
  }
}

interface Server {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a server that prints its address, and optionally a key, in its first line. */
async function serverOf([command, ...args]: readonly string[]): Promise<Server> {
  const child = spawn(command!, args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH },
  });
  const ended = once(child, "exit");
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  if (typeof line !== "string") throw new Error(`${args.join(" ")} ended with ${line}`);
  const { url, key } = JSON.parse(line) as { url: string; key?: string };
  return {
    url,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Requests per second. @throws Error if any was refused */
function measure({ url, headers }: Server, options: readonly string[]): number {
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const { stdout } = spawnSync("wrk", [...options, ...given, url + PATH], { encoding: "utf8" });
  const [, speed] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? [];
  if (speed === undefined || stdout.includes("Non-2xx")) throw new Error(stdout);
  return Number(speed);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
