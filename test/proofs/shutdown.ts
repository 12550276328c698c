import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { compile, serveOn } from "../support/compiled.ts";
import { a2aCall, problemIn } from "./a2a.ts";
import { ENGINE, openPlace, SERVERS } from "./place.ts";
import type { Proof } from "./proof.ts";
import { mcpCall, type SiteRequest } from "./proof-server.ts";

const ENDINGS = { quick: 2, full: 20 } as const;
const SLOW_TOOL = "test/proofs/slow-tool.ts";
const MAX_EXIT_MS = 10_000;
const STREAMS = 5;
const IDLE = 5;
/** Call durations below and above the server's drain time of eight seconds. */
const [SHORT_MS, LONG_MS] = [1_500, 30_000] as const;

/** A request that another server of the database answers after the end of one. */
const OTHER = { what: "other", outgoing: { method: "GET", path: "/api/v1/quote/AAPL" }, pause: 0 } as const;

/** How the response to one request ended. */
interface Ending {
  readonly what: string;
  /** Status and body; null if the connection was cut. */
  readonly answer: { readonly status: number; readonly body: string } | null;
}

/** Stops a server that is busy with every kind of work. */
export const shutdown: Proof = {
  name: "shutdown",
  claim:
    "SIGTERM ends a busy server within 10 s with exit code 0, and truncates no response: each is complete or a clear refusal",

  async run({ scale, seed, report }) {
    const built = await compile({ tool: { file: SLOW_TOOL, name: "waitSlowly" } });
    const broken: string[] = [];
    const moments = fc.sample(fc.integer({ min: 0, max: 300 }), { numRuns: ENDINGS[scale], seed });
    const count = { complete: 0, refused: 0 };
    let longest = 0;
    try {
      for (const [i, moment] of moments.entries()) {
        const place = await openPlace();
        const server = await serveOn(built.product, place.env());
        const key = readFileSync(join(place.env().DATA_DIR!, "first-key.txt"), "utf8").trim();
        const others: Awaited<ReturnType<typeof serveOn>>[] = [];
        for (let n = 1; n < SERVERS; n++) others.push(await serveOn(built.product, place.env(n)));
        const agent = new Agent({ keepAlive: true });
        const send = (what: string, outgoing: SiteRequest, pause = 0) =>
          sent({ what, outgoing, pause, url: server.url, key, agent });
        try {
          const idle = Array.from({ length: IDLE }, () => send("idle", { method: "GET", path: "/livez" }));
          await Promise.all(idle);
          const streams = Array.from({ length: STREAMS }, () =>
            send("stream", { method: "GET", path: "/api/mcp/sse" }),
          );
          // A call longer than the drain time makes the round slow, so only some rounds have one.
          const ms = i % 2 === 1 ? LONG_MS : SHORT_MS;
          const running = [
            ...[ms, SHORT_MS, 300].map((each) =>
              send(`REST ${each} ms`, { method: "GET", path: `/api/v1/wait?ms=${each}` }),
            ),
            ...[ms, 300].map((each) => send(`MCP ${each} ms`, mcpCall("wait_slowly", { ms: each }))),
            ...[ms, 300].map((each) => send(`A2A ${each} ms`, a2aCall("wait_slowly", { ms: each }))),
            ...["/api/v1/interpret", "/api/mcp"].map((path) =>
              send(`slow body to ${path}`, { ...mcpCall("get_quota", {}), path }, SHORT_MS),
            ),
          ];
          await sleep(500 + moment);
          const stoppedAt = performance.now();
          server.child.kill("SIGTERM");
          const code = await Promise.race([server.ended, sleep(MAX_EXIT_MS + 2_000, "still running")]);
          const took = performance.now() - stoppedAt;
          longest = Math.max(longest, took);
          if (code !== 0) broken.push(`ended with ${code}: ${server.seen.err}`);
          if (took > MAX_EXIT_MS) broken.push(`took ${Math.round(took)} ms`);
          for (const { what, answer } of await Promise.all([...running, ...streams])) {
            const fault = faultOf(answer);
            if (fault !== null) broken.push(`${what}: ${fault}`);
            else if (what !== "stream" && answer!.status === 200 && !/CANCEL/.test(answer!.body))
              count.complete++;
            else if (what !== "stream") count.refused++;
          }
          for (const { url } of others) {
            const ready = await sent({ ...OTHER, url, key, agent });
            if (ready.answer?.status !== 200) broken.push(`another server: ${JSON.stringify(ready.answer)}`);
          }
          report(`ending ${i + 1}: ${Math.round(took)} ms`);
        } finally {
          agent.destroy();
          for (const { child, ended } of [server, ...others]) {
            child.kill("SIGKILL");
            await ended;
          }
          place.remove();
        }
      }
      return {
        figure: `${ENGINE}: ${moments.length} endings with ${STREAMS} streams, ${IDLE} idle connections and 9 running requests each: ${count.complete} complete answers, ${count.refused} refused with an error, ${broken.length} faults; the longest took ${(longest / 1_000).toFixed(1)} s`,
        broken,
      };
    } finally {
      built.remove();
    }
  },
};

/** Returns what is wrong with a response that was in progress when the server was stopped; null if nothing is. */
function faultOf(answer: Ending["answer"]): string | null {
  if (answer === null) return "cut";
  const { status, body } = answer;
  if (/^event: |^: /m.test(body))
    return body.endsWith("\n\n") || body === "" ? null : "a stream that ends within an event";
  try {
    const parsed = JSON.parse(body);
    const { error, result } = parsed;
    if (status === 200) return error === undefined || result === undefined ? null : body;
    return typeof problemIn(parsed).code === "string" ? null : `${status} without an error code`;
  } catch {
    return `${status} and a truncated body of ${body.length} characters`;
  }
}

interface Sending {
  readonly what: string;
  readonly outgoing: SiteRequest;
  /** Milliseconds between the two halves of the body. */
  readonly pause: number;
  readonly url: string;
  readonly key: string;
  readonly agent: Agent;
}

/** Sends one request and waits for the end of its response. */
function sent({ what, outgoing, pause, url, key, agent }: Sending): Promise<Ending> {
  const { method, path, headers, body } = outgoing;
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  return new Promise((resolve) => {
    const cut = () => resolve({ what, answer: null });
    const onResponse = (response: IncomingMessage) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", () => {});
      response.on("close", () =>
        response.complete ? resolve({ what, answer: { status: response.statusCode!, body: text } }) : cut(),
      );
    };
    const sentRequest = request(
      `${url}${path}`,
      {
        method,
        agent,
        headers: {
          authorization: `Bearer ${key}`,
          ...headers,
          ...(bytes !== null && { "content-type": "application/json", "content-length": bytes.length }),
        },
      },
      onResponse,
    ).on("error", cut);
    if (bytes === null || pause === 0) sentRequest.end(bytes ?? undefined);
    else {
      const half = bytes.length >> 1;
      sentRequest.write(bytes.subarray(0, half));
      setTimeout(() => sentRequest.end(bytes.subarray(half)), pause);
    }
  });
}
