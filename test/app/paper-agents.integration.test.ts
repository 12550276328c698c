import { expect, it } from "vitest";
import { useInstallation } from "../support/installation.ts";

const installation = useInstallation("sample");

/** An agent whose entry always holds, so that its first run buys. */
const ALWAYS = {
  name: "always",
  symbols: ["AAPL"],
  timeframe: "1d",
  every: "4h",
  dry_run: false,
  sizing: { quantity: "2" },
  entry: { all: ["close > 0"] },
  exit: { any: ["close < 0"] },
  stop: "2 atr",
};

/** Calls REST with a key. */
const callerOf = (key: string) => async (method: "GET" | "POST" | "PUT", path: string, body?: object) => {
  const response = await fetch(`${installation.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const routeOf = (name: string): readonly ["GET" | "POST" | "PUT", string] => {
  const { route } = installation.app.registry.tools.find((tool) => tool.name === name)!;
  return (route as string).split(" ") as ["GET" | "POST" | "PUT", string];
};

it("an individual plan runs its own agent on paper, over REST, without connecting a broker", async () => {
  const { key, account } = await installation.key("individual", ["read", "write", "trade:paper"]);
  const call = callerOf(key);
  expect(await call(...routeOf("save_agent"), ALWAYS)).toMatchObject({ status: 200, body: { ok: true } });
  expect(await call(...routeOf("run_custom_agent"), { agent: "always", dry_run: true })).toMatchObject({
    status: 200,
    body: { connection: { broker: "paper" }, decisions: [{ symbol: "AAPL", action: "buy" }] },
  });
  expect(await call(...routeOf("start_agent"), { agent: "always" })).toMatchObject({
    status: 200,
    body: { agent: { state: "running", dry_run: false } },
  });
  expect(await installation.app.scheduler.runDue()).toBe(1);
  const { body } = await call(...routeOf("get_agent_runs"));
  expect(body.runs).toMatchObject([{ agent: "always" }]);
  const [only, ...others] = await installation.app.ports.connections.list(account);
  expect([only, others]).toMatchObject([{ broker: "paper", account_type: "paper" }, []]);
  expect((await call(...routeOf("list_orders"))).body.orders).toMatchObject([
    { intent: { symbol: "AAPL", side: "buy", quantity: "2" }, connection_id: only!.connection_id },
  ]);
  expect(await call(...routeOf("stop_agent"), { agent: "always" })).toMatchObject({ status: 200 });
  // the tools alone, and the agents that come with the server, need their own plans
  expect((await call(...routeOf("connect_broker"), {})).body).toMatchObject({ code: "PLAN_REQUIRED" });
  expect(
    (await call(...routeOf("start_agent"), { agent: "momentum", every: "1d", symbols: ["AAPL"] })).body,
  ).toMatchObject({ code: "PLAN_REQUIRED", required_plan: "pro" });
});

it("a member plan is refused", async () => {
  const { key } = await installation.key("member", ["read", "write", "trade:paper"]);
  const call = callerOf(key);
  for (const name of ["save_agent", "start_agent", "run_custom_agent"])
    expect((await call(...routeOf(name), ALWAYS)).body).toMatchObject({
      code: "PLAN_REQUIRED",
      required_plan: "individual",
    });
});
