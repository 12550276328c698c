import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/kernel/tool.ts";
import { createAnswers } from "../../../src/market/answers.ts";
import { asMember, asPro, httpApp, httpServerDeps } from "../../support/http.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";

/** An app with a tool whose answer is shared while the stamp stays the same. */
function appWith(state: { stamp: string; score: number }) {
  let computed = 0;
  const tool = defineTool({
    ...TEST_TOOL,
    name: "get_score",
    title: "Get score",
    route: "GET /api/v1/score/:symbol",
    plan: "member",
    effect: "read",
    needs: ["answers", "clock"],
    input: z.object({ symbol: z.string() }),
    output: z.object({
      request_id: z.string(),
      server_time: z.string(),
      data: z.object({ score: z.number() }),
    }),
    examples: [{ ask: "Score?", input: { symbol: "A" } }],
    async handler(_, { requestId, clock }) {
      computed++;
      const server_time = clock.now().toISOString();
      return { request_id: requestId, server_time, data: { score: state.score } };
    },
  });
  const app = httpApp(httpServerDeps([tool], { ports: { answers: createAnswers(() => state.stamp) } }));
  const get = (headers: Record<string, string> = asPro) => app.request("/api/v1/score/A", { headers });
  return { get, computed: () => computed };
}

describe("an answer shared by calls", () => {
  it("is computed once for all callers, each with the id of the own request", async () => {
    const { get, computed } = appWith({ stamp: "1", score: 5 });
    const [first, second] = [await get(), await get(asMember)];
    const [a, b]: any[] = [await first.json(), await second.json()];
    expect([a.data, b.data, computed()]).toEqual([{ score: 5 }, { score: 5 }, 1]);
    expect([a.request_id, b.request_id]).toEqual(
      [first, second].map(({ headers }) => headers.get("x-request-id")),
    );
    expect(a.request_id).not.toBe(b.request_id);
  });

  it("has a tag with which a client asks for changes only", async () => {
    const state = { stamp: "1", score: 5 };
    const { get } = appWith(state);
    const first = await get();
    const tag = first.headers.get("etag")!;
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const same = await get({ ...asPro, "if-none-match": `"other" ,   ${tag}` });
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", tag]);
    expect(same.headers.get("content-type")).toBeNull();
    expect(same.headers.get("ratelimit"), "a call like any other").not.toBeNull();
    state.stamp = "2";
    expect((await get({ ...asPro, "if-none-match": tag })).status, "computed again, with equal content").toBe(
      304,
    );
    [state.stamp, state.score] = ["3", 6];
    const changed = await get({ ...asPro, "if-none-match": tag });
    const { data }: any = await changed.json();
    expect([changed.status, data]).toEqual([200, { score: 6 }]);
  });

  it("is refused to a caller without a key", async () => {
    const { get } = appWith({ stamp: "1", score: 5 });
    await get();
    expect((await get({})).status).toBe(401);
  });
});
