import { describe, expect, it } from "vitest";
import { llmQueryHelp, type QueryHelpSetup } from "../../../src/providers/llm/query-help.ts";

const URL_OF = "https://llm.test/v1/chat/completions";
interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly body: Record<string, unknown>;
}

/** An endpoint that responds with these bytes, and the requests it received. */
function endpoint(reply: () => Response | Promise<Response>, over: Partial<QueryHelpSetup> = {}) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    sent.push({ url: String(input), init, body: JSON.parse(String(init.body)) });
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener("abort", () => reject(init.signal!.reason));
      void Promise.resolve(reply()).then(resolve, reject);
    });
  };
  const { read } = llmQueryHelp({ fetch, url: URL_OF, model: "small", ...over });
  return {
    sent,
    ask: (query = "fruit firm?", signal = new AbortController().signal) => read!(query, signal),
  };
}
const saying =
  (content: unknown, more: object = {}) =>
  () =>
    Response.json({ choices: [{ message: { role: "assistant", content, ...more } }] });
const failure = (kind: string) => ({ name: "ProviderFailure", kind });

describe("the language model that helps to parse questions", () => {
  it("receives the question only, without tools, with its key", async () => {
    const { sent, ask } = endpoint(saying('{"intent":"signal","symbols":["Apple"]}'), { key: "sesame-0" });
    expect(await ask("what of the fruit firm?")).toEqual({ intent: "signal", texts: ["Apple"] });
    expect(sent).toHaveLength(1);
    const [{ url, init, body }] = sent as [Sent];
    expect(url).toBe(URL_OF);
    expect(init).toMatchObject({
      method: "POST",
      redirect: "manual",
      headers: { authorization: "Bearer sesame-0" },
    });
    expect(Object.keys(body).sort()).toEqual(["messages", "model", "temperature"]);
    expect(body).toMatchObject({ model: "small", temperature: 0 });
    const messages = body.messages as { role: string; content: string }[];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(messages[1]!.content).toBe("what of the fruit firm?");
  });

  it("receives no more than the first 2,000 characters", async () => {
    const { sent, ask } = endpoint(saying("{}"));
    await ask("a".repeat(10_000));
    expect((sent[0]!.body.messages as { content: string }[])[1]!.content).toBe(`${"a".repeat(1_999)}…`);
  });

  it("gets no authorization header without a key", async () => {
    const { sent, ask } = endpoint(saying("{}"));
    await ask();
    expect(Object.keys(sent[0]!.init.headers as object)).toEqual(["content-type"]);
  });

  it.each([
    ["fenced", '```json\n{"intent":"news","symbols":["TSLA"]}\n```', { intent: "news", texts: ["TSLA"] }],
    ["an intent of its own", '{"intent":"buy_now","symbols":["TSLA"]}', { intent: null, texts: ["TSLA"] }],
    ["no list", '{"intent":"news","symbols":"TSLA"}', { intent: "news", texts: [] }],
    ["no texts", '{"symbols":[1,null,{"a":1},["x"],"TSLA",""]}', { intent: null, texts: ["TSLA"] }],
    [
      "steering and long texts",
      `{"symbols":["\\u001b[31mTSLA\\u202e","${"x".repeat(61)}"]}`,
      { intent: null, texts: ["TSLA"] },
    ],
    [
      "fields of its own",
      '{"intent":"scan","symbols":[],"tool":"execute_trade"}',
      { intent: "scan", texts: [] },
    ],
  ])("is read for labels alone: %s", async (_, content, labels) => {
    expect(await endpoint(saying(content)).ask()).toEqual(labels);
  });

  it("returns at most 20 texts", async () => {
    const symbols = Array.from({ length: 500 }, (_, i) => `S${i}`);
    const { texts } = await endpoint(saying(JSON.stringify({ symbols }))).ask();
    expect(texts).toEqual(symbols.slice(0, 20));
  });

  it.each([
    ["words", saying("Sure! You should buy TSLA."), "malformed"],
    ["an empty answer", saying(""), "malformed"],
    ["a call of a tool", saying(null, { tool_calls: [{ function: { name: "rm" } }] }), "malformed"],
    ["too many words", saying(`{"symbols":[]}${" ".repeat(5_000)}`), "malformed"],
    ["no choices", () => Response.json({ choices: [] }), "malformed"],
    ["no JSON", () => new Response("oops"), "malformed"],
    ["a page", () => new Response("<html>"), "blocked"],
    ["more bytes than are read", () => new Response("x".repeat(70_000)), "malformed"],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "http://10.0.0.1/" } }),
      "blocked",
    ],
    ["a refused key", () => new Response("", { status: 401 }), "auth"],
    ["a crash", () => new Response("", { status: 500 }), "down"],
    ["no connection", () => Promise.reject(new TypeError("fetch failed")), "down"],
  ])("fails with %s", async (_, reply, kind) => {
    await expect(endpoint(reply as () => Response).ask()).rejects.toMatchObject(failure(kind));
  });

  it("fails at its timeout or when the caller aborts", async () => {
    const silent = () => new Promise<Response>(() => {});
    const late = endpoint(silent, { timeoutMs: 1 }).ask();
    await expect(late).rejects.toMatchObject(failure("timeout"));
    const gone = new AbortController();
    const left = endpoint(silent).ask("x", gone.signal);
    gone.abort();
    await expect(left).rejects.toMatchObject(failure("timeout"));
  });
});
