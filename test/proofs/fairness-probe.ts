import { Agent, request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

// Requests `/livez` and a quote from a server repeatedly, in a process of its own, so that no other work of the proof
// delays it. For the line "end" on stdin, prints the longest response times since the line "begin".
const [port, ...keys] = process.argv.slice(2);
const PAUSE_MS = { live: 10, quote: 50 } as const;

export interface Worst {
  /** Longest time of a response, ms. */
  live: number;
  quote: number;
  /** Longest time for which this process itself was delayed, ms. */
  own: number;
  /** Quotes that were refused or failed. */
  refused: number;
}

const agent = new Agent({ keepAlive: true });
const delay = monitorEventLoopDelay({ resolution: 5 });
let worst: Worst = { live: 0, quote: 0, own: 0, refused: 0 };

const timeOf = (path: string, key?: string): Promise<{ readonly ms: number; readonly status: number }> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    request({ port, path, agent, headers }, (response) => {
      response.resume().once("end", () => {
        resolve({ ms: performance.now() - started, status: response.statusCode ?? 0 });
      });
    })
      .once("error", reject)
      .end();
  });

async function probeQuote(): Promise<void> {
  for (let i = 0; ; i++) {
    const { ms, status } = await timeOf("/api/v1/quote/SPY", keys[i % keys.length]);
    worst.quote = Math.max(worst.quote, ms);
    if (status !== 200) worst.refused++;
    await sleep(PAUSE_MS.quote);
  }
}
async function probeLive(): Promise<void> {
  for (;;) {
    worst.live = Math.max(worst.live, (await timeOf("/livez")).ms);
    await sleep(PAUSE_MS.live);
  }
}

delay.enable();
void probeQuote();
void probeLive();
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "begin") {
    delay.reset();
    worst = { live: 0, quote: 0, own: 0, refused: 0 };
    console.log("{}");
  } else console.log(JSON.stringify({ ...worst, own: Math.round(delay.max / 1e6) }));
});
