import { randomUUID } from "node:crypto";
import { z } from "zod";
import { catalogue } from "../../../src/app/catalogue.ts";
import type { Plan, Scope } from "../../../src/domain/accounts/access.ts";
import { Media } from "../../../src/domain/media.ts";
import { defineTool } from "../../../src/kernel/tool.ts";
import { getFailure } from "../../support/http-tools.ts";
import type { Installation } from "../../support/installation.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";

/** Runs steps of 20 ms until it is aborted. */
export const waitLong = defineTool({
  ...TEST_TOOL,
  name: "wait_long",
  title: "Wait",
  route: "GET /api/v1/wait",
  input: z.object({ steps: z.int().min(1).max(1000).default(1000).describe("Steps of 20 ms") }),
  output: z.object({ ok: z.boolean(), steps: z.int() }),
  examples: [{ ask: "Wait", input: { steps: 1 } }],
  async handler({ steps }, { signal, progress }) {
    for (let done = 1; done <= steps; done++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      signal.throwIfAborted();
      progress({ done, total: steps, message: "waiting" });
    }
    return { ok: true, steps };
  },
});

const PIXEL = "iVBORw0KGgo=";

/** Returns a result with a file. */
export const showPixel = defineTool({
  ...TEST_TOOL,
  name: "show_pixel",
  title: "Pixel",
  route: "GET /api/v1/pixel",
  output: z.object({ ok: z.boolean(), media: Media.extend({ mime: z.literal("image/png") }) }),
  handler: () => ({ ok: true, media: { mime: "image/png" as const, base64: PIXEL, alt: "a pixel" } }),
});

/** The catalogue, and tools that wait, fail and show a file. */
export const A2A_TOOLS = { ...catalogue, waitLong, showPixel, getFailure };

/** The response to a raw request. */
export interface Raw {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: any;
}

/** Sends raw HTTP requests with a separate key. */
export async function speaker(installation: Installation, plan: Plan = "pro", scopes?: readonly Scope[]) {
  const { key, account } = await installation.key(plan, scopes);
  const send = async (path: string, init: RequestInit = {}): Promise<Raw> => {
    const response = await fetch(`${installation.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "a2a-version": "1.0", ...(init.headers as object) },
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
  return {
    key,
    account,
    send,
    post,
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    /** One JSON-RPC request of protocol 1.0. */
    rpc: async (method: string, params: unknown, headers: Record<string, string> = {}) =>
      (await post("/api/a2a", { jsonrpc: "2.0", id: 7, method, params }, headers)).json,
    /** Sends one message with these parts. */
    ask: async (...parts: readonly object[]) =>
      (await post("/api/a2a", { jsonrpc: "2.0", id: 7, method: "SendMessage", params: sending(...parts) }))
        .json,
  };
}
export type Speaker = Awaited<ReturnType<typeof speaker>>;

/** Parameters for sending one message with these parts. */
export const sending = (...parts: readonly object[]) => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts },
});

/** The data of each server-sent event in a text, without comments. */
export const eventsIn = (text: string): any[] =>
  text
    .split("\n\n")
    .flatMap((block) => block.split("\n").filter((line) => line.startsWith("data: ")))
    .map((line) => JSON.parse(line.slice("data: ".length)));
