import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { labelOf, parseExpectations, readExpectations } from "./conformance/expectations.ts";
import { type Check, judge, passes } from "./conformance/judge.ts";
import { keyed } from "./conformance/keyed.ts";
import { faultsOf, find, pageOf } from "./conformance/report.ts";
import { REVISIONS, type Run, SUITE, scoresIn } from "./conformance/suite.ts";
import { translate } from "./conformance/translate.ts";

const page = readFileSync(new URL("../../../docs/results/conformance.md", import.meta.url), "utf8");
const section = (title: string): string => page.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
const cells = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) => line.slice(2, -2).split(" | "))
    .slice(1);

describe("the published conformance page", () => {
  it("gives a reason for every expectation", () => {
    expect(cells(section("Expected failures"))).toEqual(
      readExpectations().map((one) => [`\`${labelOf(one)}\`${one.hollow ? " (hollow)" : ""}`, one.why]),
    );
  });

  it("counts every scenario of both requirement sets once", () => {
    const figures = cells(page.split("\n## ")[0]!);
    expect(figures.map(([revision]) => revision)).toEqual([...REVISIONS]);
    for (const [, scenarios, ...parts] of figures)
      expect(parts.map(Number).reduce((sum, part) => sum + part, 0)).toBe(Number(scenarios));
    expect(page).toContain(SUITE);
  });
});

describe("an expectation", () => {
  it("is one line with its reason", () => {
    const yaml =
      "# about\nserver:\n  - ping # it is silent\n  - caching:hints # none: yet\nhollow:\n  - tools-list # empty\n";
    expect(parseExpectations(yaml)).toEqual([
      { scenario: "ping", check: null, why: "it is silent", hollow: false },
      { scenario: "caching", check: "hints", why: "none: yet", hollow: false },
      { scenario: "tools-list", check: null, why: "empty", hollow: true },
    ]);
  });

  it.each([
    ["without a reason", "server:\n  - ping\n"],
    ["with an empty reason", "server:\n  - ping # \n"],
    ["outside a list", "  - ping # it is silent\n"],
    ["twice", "server:\n  - ping # one\n  - ping # two\n"],
    ["as a whole and in part", "server:\n  - ping # one\n  - ping:pong # two\n"],
  ])("is rejected %s", (_, yaml) => {
    expect(() => parseExpectations(yaml)).toThrow();
  });
});

const check = (id: string, status: Check["status"]): Check => ({ id, status });
const expected = (scenario: string, only: string | null = null, hollow = false) => ({
  scenario,
  check: only,
  why: "because",
  hollow,
});
const judged = (checks: readonly Check[], ...expectations: readonly ReturnType<typeof expected>[]) => {
  const { met: _, ...verdict } = judge(["one"], new Map([["one", checks]]), expectations);
  return verdict;
};
const NOTHING = { passed: [], expected: [], hollow: [], wrong: [] };

describe("a verdict", () => {
  it("passes successful checks, but not the wire-schema check alone", () => {
    expect(judged([check("a", "SUCCESS"), check("b", "SKIPPED")])).toEqual({ ...NOTHING, passed: ["one"] });
    expect(judged([check("wire-schema-valid", "SUCCESS")])).toEqual({
      ...NOTHING,
      wrong: ["one shows nothing"],
    });
    expect(judged([])).toEqual({ ...NOTHING, wrong: ["one shows nothing"] });
    expect(passes([check("a", "INFO")])).toBe(false);
  });

  it("reports an unexpected failure or warning as wrong", () => {
    const wrong = (id: string) => ({ ...NOTHING, wrong: [`one:${id} fails: without a reason`] });
    expect(judged([check("a", "FAILURE")])).toEqual(wrong("a"));
    expect(judged([check("a", "SUCCESS"), check("b", "WARNING")])).toEqual(wrong("b"));
    expect(judged([check("a", "FAILURE"), check("b", "FAILURE")], expected("one", "a"))).toEqual(wrong("b"));
  });

  it("accepts an expected failure of a scenario or of one check", () => {
    expect(judged([check("a", "FAILURE")], expected("one"))).toEqual({ ...NOTHING, expected: ["one"] });
    expect(judged([check("a", "WARNING"), check("b", "SUCCESS")], expected("one", "a"))).toEqual({
      ...NOTHING,
      expected: ["one"],
    });
  });

  it("reports an expected failure that passes as wrong", () => {
    const good = [check("a", "SUCCESS")];
    expect(judged(good, expected("one"))).toEqual({ ...NOTHING, wrong: ["one passes against expectation"] });
    expect(judged(good, expected("one", "a"))).toEqual({
      ...NOTHING,
      wrong: ["one:a passes against expectation"],
    });
  });

  it("counts a hollow pass separately, and reports its failure as wrong", () => {
    expect(judged([check("a", "SUCCESS")], expected("one", null, true))).toEqual({
      ...NOTHING,
      hollow: ["one"],
    });
    expect(judged([check("a", "FAILURE")], expected("one", null, true)).wrong).toEqual([
      "one fails against expectation",
    ]);
  });
});

const SAID = `noise
=== SUMMARY ===
✓ ping: 2 passed, 0 failed
✗ tools-call-audio: 1 passed, 1 failed
✗ tasks-lifecycle: 0 passed, 9 failed

Total: 3 passed, 10 failed

Not scored for 2025-11-25: 1 scenario(s) run, 1 failing. These do not affect conformance.
  ✗ tasks-lifecycle (extension)
`;
const RUN: Run = {
  results: new Map([
    ["ping", [check("ping", "SUCCESS")]],
    ["tools-call-audio", [check("tools-call-audio", "FAILURE")]],
    ["tasks-lifecycle", [check("tasks", "FAILURE")]],
  ]),
  scored: ["ping", "tools-call-audio"],
  unscored: new Map([["tasks-lifecycle", "extension"]]),
};

describe("a run of the suite", () => {
  it("reads the scored and unscored scenarios from the output", () => {
    expect(scoresIn(SAID, "2025-11-25")).toEqual({ scored: RUN.scored, unscored: RUN.unscored });
  });

  it("is rejected if the output is incomplete", () => {
    expect(() => scoresIn(SAID.slice(0, 60), "2025-11-25")).toThrow("did not run to its end");
  });

  it("is judged by all scored scenarios, and reports unused expectations", () => {
    const expectations = [expected("tools-call-audio"), expected("logging-set-level")];
    const findings = [find("2025-11-25", RUN, expectations)];
    expect(findings.map(({ scenarios }) => scenarios)).toEqual([["ping", "tools-call-audio"]]);
    expect(faultsOf(findings, expectations)).toEqual([
      "logging-set-level is expected to fail and was not met",
    ]);
    expect(faultsOf([find("2025-11-25", RUN, [])], [])).toEqual([
      "2025-11-25: tools-call-audio:tools-call-audio fails: without a reason",
    ]);
    const written = pageOf(findings, expectations, [
      { revision: "2025-11-25", passed: ["one", "two"], failed: [] },
    ]);
    expect(written).toContain("| 2025-11-25 | one, two | none |");
    expect(written).toContain("| 2025-11-25 | 2 | 1 | 1 | 0 |");
    expect(written).toContain("| `tasks-lifecycle` | 2025-11-25 | extension | fails |");
  });
});

describe("the proxy of the suite", () => {
  it("adds the key and passes host, body and status unchanged", async () => {
    const server = createServer((request, response) => {
      request.setEncoding("utf8").on("data", (body) => {
        const { host, authorization } = request.headers;
        response.writeHead(418, { "x-seen": `${request.method} ${request.url}` });
        response.end(JSON.stringify({ host, authorization, body }));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy = await keyed(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "the-key");
    try {
      const response = await fetch(`${proxy.url}/api/mcp?x=1`, { method: "POST", body: "hello" });
      expect(response.status).toBe(418);
      expect(response.headers.get("x-seen")).toBe("POST /api/mcp?x=1");
      expect(await response.json()).toEqual({
        host: new URL(proxy.url).host,
        authorization: "Bearer the-key",
        body: "hello",
      });
    } finally {
      proxy.close();
      server.close();
    }
  });
});

describe("the names of the suite", () => {
  const call = (params: object, method = "tools/call") => ({ jsonrpc: "2.0", id: 1, method, params });

  it.each([
    [
      "a tool",
      call({ name: "test_simple_text", _meta: { a: 1 } }),
      call({ name: "get_quote", arguments: { symbol: "AAPL" }, _meta: { a: 1 } }),
    ],
    [
      "a prompt",
      call({ name: "test_prompt_with_arguments", arguments: { arg1: "one", arg2: "two" } }, "prompts/get"),
      call({ name: "plan_trade", arguments: { symbol: "one", account_size: "two" } }, "prompts/get"),
    ],
    [
      "a resource",
      call({ uri: "test://template/123/data" }, "resources/read"),
      call({ uri: "signal://AAPL/1d" }, "resources/read"),
    ],
    [
      "an answer of its user",
      { jsonrpc: "2.0", id: "q", result: { action: "accept", content: { username: "one" } } },
      { jsonrpc: "2.0", id: "q", result: { action: "accept", content: { symbol: "BTC-USD" } } },
    ],
  ])("are translated: %s", (_, given, translated) => {
    expect(translate(given).message).toEqual(translated);
  });

  it.each([
    ["another tool", call({ name: "test_audio_content", arguments: {} })],
    ["another method", call({ name: "test_simple_text" }, "tools/list")],
    ["a refusal of its user", { jsonrpc: "2.0", id: "q", result: { action: "decline" } }],
    ["no message", null],
  ])("stay as they are: %s", (_, given) => {
    expect(translate(given)).toEqual({ message: given, name: null, words: {} });
  });

  it.each([
    [
      { user_name: { action: "accept", content: { name: "A" } }, other: 1 },
      { symbol: { action: "accept", content: { symbol: "BTC-USD" } }, other: 1 },
    ],
    [{ wrong_key: { action: "accept", content: {} } }, { wrong_key: { action: "accept", content: {} } }],
    [{ user_name: 12345 }, { symbol: 12345 }],
    [null, null],
  ])("keep the faults of an answer: %j", (inputResponses, expectedResponses) => {
    const { message } = translate(call({ name: "test_input_required_result_elicitation", inputResponses }));
    expect(message).toMatchObject({ params: { name: "preview_trade", inputResponses: expectedResponses } });
  });

  it("appear in the responses", async () => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`event: message\ndata: {"text":"AAPL","name":"${request.headers["mcp-name"]}"}\n\n`);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy = await keyed(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "the-key");
    try {
      const response = await fetch(`${proxy.url}/api/mcp`, {
        method: "POST",
        headers: { "mcp-name": "test://template/123/data" },
        body: JSON.stringify(call({ uri: "test://template/123/data" }, "resources/read")),
      });
      expect(await response.text()).toBe('event: message\ndata: {"text":"123","name":"signal://123/1d"}\n\n');
    } finally {
      proxy.close();
      server.close();
    }
  });
});

it("CI runs the conformance and inspect commands, and both exist", () => {
  const run = readFileSync(new URL("../../../.ci/run", import.meta.url), "utf8");
  for (const command of [".ci/conformance", ".ci/inspect"]) {
    expect(existsSync(new URL(`../../../${command}`, import.meta.url))).toBe(true);
    expect(run).toContain(`bash ${command}`);
  }
});
