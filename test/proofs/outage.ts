import { setTimeout as sleep } from "node:timers/promises";
import { compile, serveOn } from "../support/compiled.ts";
import { install } from "../support/installation.ts";
import { createDatabase, POSTGRES_URL } from "../support/postgres.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { databaseProxy, type Line } from "./database-proxy.ts";
import type { Proof } from "./proof.ts";

const SIZES = {
  quick: { rounds: 1, aSecond: 40, outageMs: 1_500 },
  full: { rounds: 5, aSecond: 200, outageMs: 4_000 },
} as const;
const FAILURES: readonly Line[] = ["cut", "paused", "slow"];
/** Maximum time until the first answer after an outage; not checked at the quick scale, which tests run on busy machines. */
const RECOVERY_MS = 2_000;
const PATIENCE_MS = 30_000;
const ALIVE_MS = 100;
/** Accounts, so that none reaches its limit of calls a minute. */
const ACCOUNTS = 40;
/** Lists that are written again and again. */
const LISTS = 7;

interface Answer {
  readonly at: number;
  readonly took: number;
  readonly status: number;
  readonly wrong: string | null;
}

/** Breaks, pauses and slows the connections to PostgreSQL under a load of reads and writes. */
export const outage: Proof = {
  name: "outage",
  claim:
    "While PostgreSQL is unavailable, every call returns the right answer or 503, /livez stays 200, and no accepted write is lost",

  needsPostgres: true,

  async run({ scale, report }) {
    const { rounds, aSecond, outageMs } = SIZES[scale];
    const { dir, remove } = suiteDir();
    const direct = await createDatabase(POSTGRES_URL!);
    const first = await install(dir, "sample", { DATABASE_URL: direct });
    const accounts = await Promise.all(
      Array.from({ length: ACCOUNTS }, () => first.app.access.create({ plan: "enterprise" })),
    );
    await first.stop();
    const proxy = await databaseProxy(direct);
    const built = await compile();
    const server = await serveOn(built.product, { ...first.env, HOME: dir, DATABASE_URL: proxy.url });
    const broken: string[] = [];
    const [answers, alive]: [Answer[], Answer[]] = [[], []];
    const accepted = new Map<string, string>();
    const headersOf = (n: number) => ({
      authorization: `Bearer ${accounts[n % ACCOUNTS]!.key}`,
      "content-type": "application/json",
    });
    let isDone = false;
    let sent = 0;

    async function timed(into: Answer[], work: () => Promise<Omit<Answer, "at" | "took">>): Promise<void> {
      const at = performance.now();
      const answer = await work().catch((cause: unknown) => ({ status: 0, wrong: String(cause) }));
      into.push({ ...answer, at, took: performance.now() - at });
    }
    const unavailable = async (response: Response): Promise<string | null> => {
      const body = (await response.json()) as { readonly code?: string };
      const isRight =
        response.status === 503 && body.code === "STORAGE_BUSY" && response.headers.has("retry-after");
      return isRight ? null : `${response.status} ${JSON.stringify(body)}`;
    };
    async function read(n: number) {
      const response = await fetch(`${server.url}/api/v1/quote/AAPL`, { headers: headersOf(n) });
      if (response.status !== 200) return { status: response.status, wrong: await unavailable(response) };
      const { symbol, data } = (await response.json()) as {
        readonly symbol: string;
        readonly data?: { readonly price?: number };
      };
      const isRight = symbol === "AAPL" && Number(data?.price) > 0;
      return { status: 200, wrong: isRight ? null : JSON.stringify({ symbol, data }) };
    }
    async function write(n: number) {
      const [name, symbol] = [`list-${n % LISTS}`, n % 2 === 0 ? "AAPL" : "MSFT"];
      const init = { method: "POST", headers: headersOf(0), body: JSON.stringify({ symbols: [symbol] }) };
      const response = await fetch(`${server.url}/api/v1/watchlists/${name}`, init);
      if (!response.ok) {
        accepted.delete(name); // it may have been stored
        return { status: response.status, wrong: await unavailable(response) };
      }
      accepted.set(name, symbol);
      return { status: 200, wrong: null };
    }
    async function load(): Promise<void> {
      const running: Promise<void>[] = [];
      while (!isDone) {
        const n = sent++;
        running.push(timed(answers, n % 10 === 0 ? () => write(n / 10) : () => read(n)));
        await sleep(1_000 / aSecond);
      }
      await Promise.all(running);
    }
    async function watch(): Promise<void> {
      while (!isDone) {
        await timed(alive, async () => ({
          status: (await fetch(`${server.url}/livez`)).status,
          wrong: null,
        }));
        await sleep(ALIVE_MS);
      }
    }

    try {
      const working = Promise.all([load(), watch()]);
      const recoveries: number[] = [];
      for (let round = 0; round < rounds; round++)
        for (const line of FAILURES) {
          await sleep(500);
          proxy.set(line);
          await sleep(outageMs);
          proxy.set("open");
          const openedAt = performance.now();
          const isRight = () => answers.some(({ at, status }) => at > openedAt && status === 200);
          while (!isRight() && performance.now() - openedAt < PATIENCE_MS) await sleep(5);
          const recovered = performance.now() - openedAt;
          recoveries.push(recovered);
          if (recovered > (scale === "full" ? RECOVERY_MS : PATIENCE_MS))
            broken.push(`${line}: the first answer came after ${Math.round(recovered)} ms`);
          report(`${line}: right again after ${Math.round(recovered)} ms`);
        }
      isDone = true;
      await working;
      for (const { status, wrong } of answers) if (wrong !== null) broken.push(`${status}: ${wrong}`);
      for (const { status, took } of alive)
        if (status !== 200 || (scale === "full" && took > 1_000))
          broken.push(`/livez ${status} after ${Math.round(took)} ms`);
      const { watchlists } = (await (
        await fetch(`${server.url}/api/v1/watchlists`, { headers: headersOf(0) })
      ).json()) as {
        readonly watchlists: readonly { readonly name: string; readonly symbols: readonly string[] }[];
      };
      for (const [name, symbol] of accepted) {
        const stored = watchlists.find((list) => list.name === name)?.symbols;
        if (`${stored}` !== symbol) broken.push(`${name} is ${stored} instead of ${symbol}`);
      }
      const refused = answers.filter(({ status }) => status === 503).map(({ took }) => took);
      return {
        figure: `${answers.length} calls, ${refused.length} of them 503, during ${recoveries.length} outages (broken, paused and slow connections): 0 wrong; /livez 200 ${alive.length} times; right again after at most ${Math.round(Math.max(...recoveries))} ms; median of a 503 ${median(refused)} ms`,
        broken,
      };
    } finally {
      isDone = true;
      server.child.kill("SIGKILL");
      await server.ended;
      proxy.close();
      built.remove();
      remove();
    }
  },
};

const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
