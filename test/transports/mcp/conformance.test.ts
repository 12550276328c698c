import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { expectationsOf, labelOf, parseExpectations } from "./conformance/expectations.ts";
import { type Check, judge, passes } from "./conformance/judge.ts";
import { keyed } from "./conformance/keyed.ts";
import { faultsOf, find, pageOf } from "./conformance/report.ts";
import { REVISIONS, type Run, SUITE, scoresIn } from "./conformance/suite.ts";

const page = readFileSync(new URL("../../../docs/results/conformance.md", import.meta.url), "utf8");
const section = (title: string): string => page.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
const cells = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) => line.slice(2, -2).split(" | "))
    .slice(1);

describe("the published conformance page", () => {
  it.each(["product", "fixture"] as const)("gives a reason for every expectation of the %s", (served) => {
    const title = `Expected failures of the ${served === "product" ? "product" : "test server"}`;
    expect(cells(section(title))).toEqual(
      expectationsOf(served).map((one) => [`\`${labelOf(one)}\`${one.hollow ? " (hollow)" : ""}`, one.why]),
    );
  });

  it("counts every scenario of both requirement sets once, for both servers", () => {
    const figures = cells(page.split("\n## ")[0]!);
    expect(figures.map(([server, revision]) => `${server} ${revision}`)).toEqual(
      ["the product", "the test server"].flatMap((server) => REVISIONS.map((one) => `${server} ${one}`)),
    );
    for (const [, , scenarios, ...parts] of figures)
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

  it("judges the product by scenarios without fixtures, and reports unused expectations", () => {
    const expectations = {
      product: [expected("logging-set-level")],
      fixture: [expected("tools-call-audio")],
    };
    const findings = (["product", "fixture"] as const).map((served) =>
      find(served, "2025-11-25", RUN, expectations[served]),
    );
    expect(findings.map(({ scenarios }) => scenarios)).toEqual([["ping"], ["ping", "tools-call-audio"]]);
    expect(faultsOf(findings, expectations)).toEqual([
      "product: logging-set-level is expected to fail and was not met",
    ]);
    const written = pageOf(findings, expectations);
    expect(written).toContain("| the product | 2025-11-25 | 1 | 1 | 0 | 0 |");
    expect(written).toContain("| the test server | 2025-11-25 | 2 | 1 | 1 | 0 |");
    expect(written).toContain("| `tasks-lifecycle` | 2025-11-25 | extension | fails | fails |");
  });
});

describe("a proxy that adds a key", () => {
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

it("CI runs the conformance and inspect commands, and both exist", () => {
  const run = readFileSync(new URL("../../../.ci/run", import.meta.url), "utf8");
  for (const command of [".ci/conformance", ".ci/inspect"]) {
    expect(existsSync(new URL(`../../../${command}`, import.meta.url))).toBe(true);
    expect(run).toContain(`bash ${command}`);
  }
});
