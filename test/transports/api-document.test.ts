import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { PLAN_RANK, type Plan } from "../../src/domain/accounts/access.ts";
import { ANALYTICS_ROUTES } from "../support/api-document/analytics.ts";
import { BROKER_ROUTES } from "../support/api-document/broker.ts";
import { type DocumentedAnswer, overA2a, overMcp, overRest } from "../support/api-document/clients.ts";
import { FLOW_ROUTES } from "../support/api-document/flow.ts";
import { type DocumentedRequest, type DocumentedRoute, PLANS } from "../support/api-document/routes.ts";
import { useInstallation } from "../support/installation.ts";
import { movingClock } from "../support/store.ts";
import { describeWithData } from "../support/test-data.ts";

const ROUTES = [...ANALYTICS_ROUTES, ...FLOW_ROUTES, ...BROKER_ROUTES];
/** Line 200: no tool but a stream; see api-document-limits.test.ts. */
const STREAM = "GET /api/mcp/sse";

const clock = movingClock();
const installation = useInstallation("sample", {}, { clock });
const keys = {} as Record<Plan, string>;
beforeAll(async () => {
  await installation.app.engine.run({ universe: { name: "all" } });
  for (const plan of PLANS) keys[plan] = (await installation.key(plan)).key;
});

const allows = (plan: DocumentedRoute["plan"], caller: Plan): boolean =>
  plan === "open" || PLAN_RANK[caller] >= PLAN_RANK[plan];

function expectDocumented({ code, data }: DocumentedAnswer, { answer }: DocumentedRequest): void {
  expect(code, JSON.stringify(data)?.slice(0, 600)).toBeNull();
  const { error, success } = answer.safeParse(data);
  if (!success) throw new Error(`${error.message}\nin ${JSON.stringify(data).slice(0, 3_000)}`);
}

describe.each(ROUTES)("line $line: $route", ({ plan, tool, requests }) => {
  const [request, ...others] = requests;
  beforeAll(() => clock.pass(60_000)); // a new burst window

  it.each(PLANS)("answers over REST as the plan %s allows", async (caller) => {
    const answer = await overRest(installation.url, keys[caller], request);
    if (allows(plan, caller)) {
      expectDocumented(answer, request);
      expect(answer.status).toBe(200);
    } else expect(answer).toMatchObject({ status: 403, code: "PLAN_REQUIRED", data: { ok: false } });
  });

  it("answers without a key over REST only if the document says so", async () => {
    const answer = await overRest(installation.url, null, request);
    if (plan === "open") expectDocumented(answer, request);
    else expect(answer).toMatchObject({ status: 401, code: "UNAUTHENTICATED", data: { ok: false } });
  });

  it.each([
    ["MCP", overMcp],
    ["A2A", overA2a],
  ] as const)("answers over %s with the professional plans only", async (_, send) => {
    for (const caller of PLANS) {
      const answer = await send(installation.url, keys[caller], request, tool);
      if (!allows("pro", caller)) expect(answer).toMatchObject({ status: 403, code: "PLAN_REQUIRED" });
      else if (!allows(plan, caller)) expect(answer).toMatchObject({ status: 200, code: "PLAN_REQUIRED" });
      else expectDocumented(answer, request);
    }
  });

  it.runIf(others.length > 0)(
    "answers every other spelling of the document over every transport",
    async () => {
      const lowest = plan === "open" ? "member" : plan;
      for (const [i, other] of others.entries()) {
        if (i % 3 === 0) clock.pass(60_000);
        expectDocumented(await overRest(installation.url, keys[lowest], other), other);
        expectDocumented(await overMcp(installation.url, keys.enterprise, other, tool), other);
        expectDocumented(await overA2a(installation.url, keys.enterprise, other, tool), other);
      }
    },
  );
});

describeWithData("the API document", ["..", "spec", "market-signal-api.md"], (path) => {
  it("has no endpoint without an entry here, at the same plan and line", () => {
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    const documented = lines.flatMap((row, i) => {
      const [, method, route, plan] = /^\| (GET|POST|PUT|DELETE) \| (\S+) \| (\w+)/.exec(row) ?? [];
      return method === undefined ? [] : [[`${method} ${route}`, openOr(`${route}`, `${plan}`), i + 1]];
    });
    const known = ROUTES.map(({ route, plan, line }) => [route, plan, line]);
    expect([...known, [STREAM, "pro", 200]].sort()).toEqual(documented.sort());
  });
});

/** Lines 168, 172 and 228: health and demo need no key. */
const openOr = (route: string, plan: string): string =>
  /^\/api\/v1\/(health|demo)$/.test(route) ? "open" : plan.toLowerCase();
