import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Meters } from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { type Call, invoke } from "../../src/kernel/invoke.ts";
import { defineTool, type Tool } from "../../src/kernel/tool.ts";
import { anonymous, collectingLog, countingMeters, member, NOW, pro, testPorts } from "../support/context.ts";

const Input = z.object({ n: z.number().max(10), detail: z.enum(["concise", "full"]).optional() });
const base = {
  title: "Double",
  description: "Doubles a number.",
  toolset: "system",
  plan: "member",
  effect: "read",
  needs: [],
  input: Input,
  output: z.object({ twice: z.number(), detail: z.string().optional() }),
  examples: [{ ask: "Twice two?", input: { n: 2 } }],
} as const;
const double = defineTool({
  ...base,
  name: "double_number",
  route: "GET /double",
  handler: ({ n, detail }) => ({ twice: 2 * n, ...(detail && { detail }) }),
});
type Handler = (input: z.output<typeof Input>, ctx: Parameters<Tool["handler"]>[1]) => unknown;
const variant = (over: object, handler: Handler = () => ({ twice: 0 })): Tool =>
  ({ ...double, ...over, handler }) as Tool;

afterEach(() => void vi.useRealTimers());

/** One call with all its side effects. */
function setup(over: Partial<Call> & { readonly meters?: Meters } = {}) {
  const { log, lines } = collectingLog();
  const { meters, debits } = countingMeters();
  const ports = testPorts({ log, meters: over.meters ?? meters });
  const run = (tool: Tool, raw: unknown = { n: 2 }) =>
    invoke(tool, raw, { ports, principal: member, transport: "test", ...over });
  return { run, lines, debits, ports };
}

/** Returns a function that calls a tool with this input, and returns the details of its faults. */
const faultDetailsOf = (input: z.ZodObject) => (raw: object) =>
  setup()
    .run(variant({ input }), raw)
    .then(
      () => [],
      ({ data }: ToolError) => (data!.errors as { detail: string }[]).map(({ detail }) => detail),
    );

describe("a call", () => {
  it("lets other events be handled between handlers whose quota was granted at once", async () => {
    const granted = new Promise<void>((resolve) => setImmediate(resolve));
    const meters: Meters = { ...countingMeters().meters, countDaily: () => granted };
    let iteration = 0;
    const count = () => {
      if (++iteration < 1_000) setImmediate(count);
    };
    setImmediate(count);
    const handledIn: number[] = [];
    const slow = variant({}, () => {
      const end = performance.now() + 10;
      while (performance.now() < end);
      handledIn.push(iteration);
      return { twice: 0 };
    });
    const { run } = setup({ meters });
    await Promise.all([run(slow), run(slow), run(slow)]);
    expect(new Set(handledIn).size).toBe(3);
  });

  it("checks plan, burst limit, input, running calls and daily quota in this order before the handler", async () => {
    const steps: string[] = [];
    const meters: Meters = {
      countBurst: async () => void steps.push("burst"),
      startCall: () => {
        steps.push("start");
        return () => void steps.push("end");
      },
      countDaily: async () => void steps.push("day"),
      usage: async () => [],
    };
    const input = z.object({ n: z.number().refine(() => steps.push("parse") > 0) });
    const tool = variant({ input }, () => {
      steps.push("handler");
      return { twice: 4 };
    });
    const read = async () => {
      steps.push("read");
      return { n: 2 };
    };
    expect(await setup({ meters }).run(tool, read)).toEqual({ twice: 4 });
    expect(steps).toEqual(["burst", "read", "parse", "start", "day", "handler", "end"]);
  });

  it("waits for data before it takes a running slot, and takes none if the caller disconnects meanwhile", async () => {
    const steps: string[] = [];
    const meters: Meters = {
      ...countingMeters().meters,
      startCall: () => {
        steps.push("start");
        return () => {};
      },
    };
    let come = () => {};
    const ready = () =>
      new Promise<void>((resolve) => {
        come = resolve;
      });
    const first = setup({ meters }).run(variant({ ready }));
    await new Promise(setImmediate);
    expect(steps).toEqual([]);
    come();
    await first;
    expect(steps).toEqual(["start"]);
    const caller = new AbortController();
    const second = setup({ meters, signal: caller.signal }).run(variant({ ready }));
    await new Promise(setImmediate);
    caller.abort();
    come();
    await expect(second).rejects.toMatchObject({ code: "CANCELLED" });
    const within = setup({ meters, nested: true }).run(variant({ ready }));
    await new Promise(setImmediate);
    come();
    await within;
    expect(steps).toEqual(["start"]);
  });

  it("provides only the declared ports", async () => {
    const seen: string[] = [];
    const tool = variant({ needs: ["clock"] }, (_, ctx) => {
      seen.push(...Object.keys(ctx));
      return { twice: 0 };
    });
    await setup().run(tool);
    expect(seen.sort()).toEqual(["clock", "principal", "progress", "readonly", "requestId", "signal"]);
  });

  it("forwards progress, if requested", async () => {
    const progress = vi.fn();
    const tool = variant({}, (_, ctx) => {
      ctx.progress({ done: 1, total: 2 });
      return { twice: 0 };
    });
    await setup({ progress }).run(tool);
    expect(progress.mock.calls).toEqual([[{ done: 1, total: 2 }]]);
    await expect(setup().run(tool)).resolves.toEqual({ twice: 0 });
  });

  it("uses the caller's request id, or a new UUID", async () => {
    const tool = variant({ output: z.object({ id: z.uuid() }) }, (_, { requestId }) => ({ id: requestId }));
    const given = "6f1f6a3e-8f43-4c5a-9a53-0f9a1e7c2b10";
    expect(await setup({ requestId: given }).run(tool)).toEqual({ id: given });
    expect(await setup().run(tool)).toEqual({ id: "00000000-0000-4000-8000-000000000001" });
  });
});

describe("a rejected call", () => {
  const reads = defineTool({ ...base, name: "read_thing", route: "GET /r", handler: () => ({ twice: 0 }) });
  const scoped = (scopes: Principal["scopes"]): Principal => ({ ...pro, scopes });
  const reader = scoped(["read"]);
  it.each([
    { why: "no key", tool: reads, principal: anonymous, code: "UNAUTHENTICATED" },
    { why: "a lower plan", tool: variant({ plan: "pro" }), principal: member, code: "PLAN_REQUIRED" },
    { why: "no scope", tool: reads, principal: scoped(["write"]), code: "SCOPE_REQUIRED" },
    { why: "no writing", tool: variant({ effect: "write" }), principal: reader, code: "SCOPE_REQUIRED" },
    {
      why: "no trading",
      tool: variant({ effect: "trade" }),
      principal: scoped(["write"]),
      code: "SCOPE_REQUIRED",
    },
  ])("($why) costs nothing and reads nothing", async ({ tool, principal, code }) => {
    const read = vi.fn();
    const { run, debits } = setup({ principal });
    await expect(run(tool, read)).rejects.toMatchObject({ code });
    expect(read).not.toHaveBeenCalled();
    expect(debits).toEqual({ burst: 0, day: 0 });
  });

  it("names the required plan or scope", async () => {
    await expect(setup().run(variant({ plan: "pro" }))).rejects.toMatchObject({
      message: '"double_number" needs the "pro" plan; this account has "member"',
      data: { plan: "member", required_plan: "pro" },
    });
    await expect(setup().run(variant({ effect: "trade" }))).rejects.toMatchObject({
      data: { required_scope: "trade:paper" },
    });
  });

  const WRITES = { effect: "write" } as const;
  it.each([
    { who: "a key", over: { keyId: "k1" }, hint: 'Use a key with the "write" scope.' },
    {
      who: "a key that administrates",
      over: { keyId: "k1", scopes: ["read", "admin"] },
      hint: 'Use a key with "write" and "admin".',
    },
    { who: "a session", over: {}, hint: "Your role may only read; the owner can change it." },
    {
      who: "an app that may be allowed it",
      over: { keyId: "app:a", grantable: ["write"] },
      hint: "The person of this app can allow it: connect it again.",
    },
    {
      who: "an app of somebody who only reads",
      over: { keyId: "app:a", grantable: [] },
      hint: "The role of the app's person does not include it. The owner changes the role on /people.",
    },
  ] as const)("tells $who how the scope is had", async ({ over, hint }) => {
    const principal: Principal = { ...reader, ...over };
    await expect(setup({ principal }).run(variant(WRITES))).rejects.toMatchObject({
      hint,
      data: { required_scope: "write" },
    });
  });

  it("says to a session that writes what can trade, and who manages the server", async () => {
    const principal = scoped(["read", "write"]);
    await expect(setup({ principal }).run(variant({ effect: "trade" }))).rejects.toMatchObject({
      hint: 'The pages do not do that: use an app that you allow it, or a key with the "trade:paper" scope.',
    });
    const ada = setup({ principal: { ...principal, account: "ada" } });
    await expect(ada.run(variant({ scopes: ["admin"] }))).rejects.toMatchObject({
      hint: "Only the owner of this server may do that.",
    });
  });

  it("does not occur for an open tool", async () => {
    const anyone: Principal = { account: "x", plan: "open", scopes: [] };
    await expect(setup({ principal: anyone }).run(variant({ plan: "open" }))).resolves.toEqual({ twice: 0 });
  });

  it("treats the individual and early plans alike", async () => {
    const early: Principal = { account: "e", plan: "early", scopes: ["read"] };
    const individual = variant({ plan: "individual" });
    await expect(setup({ principal: early }).run(individual)).resolves.toEqual({ twice: 0 });
    await expect(setup({ principal: early }).run(variant({ plan: "founding" }))).rejects.toMatchObject({
      code: "PLAN_REQUIRED",
    });
  });

  const failing = (code: "BODY_TOO_LARGE" | "NO_PRICE") => () => Promise.reject(new ToolError(code, "None"));
  it.each([
    { why: "bad input", input: { n: "two" }, code: "INVALID_INPUT" },
    {
      why: "input of 3,000 fields",
      input: Object.fromEntries(
        Array(3_000)
          .fill(0)
          .map((_, i) => [`f${i}`, i]),
      ),
      code: "BODY_TOO_LARGE",
    },
    { why: "unreadable input", input: failing("BODY_TOO_LARGE"), code: "BODY_TOO_LARGE" },
    { why: "an unconnected port", tool: variant({ needs: ["quotes"] }), code: "NOT_CONNECTED" },
    { why: "the handler", tool: variant({}, failing("NO_PRICE")), code: "NO_PRICE", day: 1 },
  ])(
    "of $why costs a burst unit, and daily quota only if work ran",
    async ({ tool = double, input, code, day = 0 }) => {
      const { run, debits } = setup();
      await expect(run(tool, input)).rejects.toMatchObject({ code });
      expect(debits).toEqual({ burst: 1, day });
    },
  );

  it("names the unconnected ports and how to connect them", async () => {
    await expect(setup().run(variant({ needs: ["quotes", "clock", "bars"] }))).rejects.toMatchObject({
      message: '"double_number" is not connected: it needs quotes, bars',
      hint: "The owner of the server connects it with a setting.",
      command: "market-signal config",
    });
  });

  it.each([
    ["burst", "burst", { burst: 0, day: 0 }],
    ["day", "daily", { burst: 1, day: 0 }],
  ] as const)("for a spent %s quota reaches nothing after it", async (quota, window, cost) => {
    const { meters, debits } = countingMeters({ [quota]: 0 });
    const read = vi.fn(() => ({ n: 2 }));
    const handler = vi.fn();
    const refused = setup({ meters }).run(variant({}, handler), read);
    await expect(refused).rejects.toMatchObject({ code: "RATE_LIMITED", data: { window } });
    expect(read).toHaveBeenCalledTimes(cost.burst);
    expect(handler).not.toHaveBeenCalled();
    expect(debits).toEqual(cost);
  });

  it("charges an interpreter call to the assistant quota, and a nested call not at all", async () => {
    const shares: unknown[] = [];
    const meters: Meters = {
      countBurst: async () => {},
      startCall: () => () => {},
      countDaily: async (_, share) => void shares.push(share),
      usage: async () => [],
    };
    const interpreter = variant({ role: "interpreter", input: Input.extend({ query: z.string() }) });
    await setup({ meters }).run(interpreter, { n: 2, query: "Twice two?" });
    await setup({ meters }).run(double);
    await setup({ meters, nested: true }).run(interpreter, { n: 2, query: "Twice two?" });
    expect(shares).toEqual(["assistant", undefined]);
  });
});

describe("input", () => {
  it("is rejected with a pointer to every error and the field names", async () => {
    const input = z.object({ "a/b~c": z.array(z.object({ n: z.number() })), other: z.string() }).strict();
    const refused = setup().run(variant({ input, dropsUnknown: false }), {
      "a/b~c": [{ n: 1 }, { n: "two" }],
      odd: 1,
    });
    await expect(refused).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/^Invalid input for "double_number": a~1b~0c\/1\/n: /),
      hint: "Fields: a/b~c, other.",
      data: {
        errors: [
          { pointer: "/a~1b~0c/1/n", detail: "must be a number" },
          { pointer: "/other", detail: "is required" },
          { pointer: "/odd", detail: "unknown field" },
        ],
      },
    });
  });

  it("is rejected with the range of a number", async () => {
    const input = z.object({
      hours: z.number().int().min(1).max(168).default(72),
      least: z.number().min(0).optional(),
      most: z.number().max(10).optional(),
      own: z.number().min(3, "takes three at least").optional(),
      any: z.number().optional(),
      share: z.number().positive().max(2).optional(),
      size: z.number().positive().optional(),
    });
    const wrong = { hours: 0, least: Number.NaN, most: 11, own: 1, any: "x", share: 0, size: -1 };
    const detailsOf = faultDetailsOf(input);
    expect(await detailsOf(wrong)).toEqual([
      "must be a whole number from 1 to 168",
      "must be a number from 0 on",
      "must be a number up to 10",
      "takes three at least",
      "must be a number",
      "must be a number above 0, at most 2",
      "must be a number above 0",
    ]);
    for (const hours of ["1e9", 1.5, 169])
      expect(await detailsOf({ hours })).toEqual(["must be a whole number from 1 to 168"]);
  });

  it("is rejected with the expected type and length of text, lists and booleans", async () => {
    const input = z.object({
      engaged: z.boolean(),
      symbols: z.array(z.string().min(2).max(3)).min(2).max(3),
      name: z.string().min(1),
      rules: z.object({}),
    });
    const detailsOf = faultDetailsOf(input);
    expect(await detailsOf({ engaged: "on", symbols: "A", name: true, rules: "x" })).toEqual([
      "must be true or false",
      "must have at least 2 characters",
      "must have at least 2 items",
      "must be text",
      "must be an object",
    ]);
    expect(await detailsOf({ engaged: true, symbols: ["A"], name: "", rules: {} })).toEqual([
      "must have at least 2 characters",
      "must have at least 2 items",
      "must not be empty",
    ]);
    const fourItems = { engaged: true, symbols: ["B1", "B2", "B3", "B4"], name: "A", rules: {} };
    expect(await detailsOf(fourItems)).toEqual(["must have at most 3 items"]);
    expect(await detailsOf({ ...fourItems, symbols: ["ABCD", "B2"] })).toEqual([
      "must have at most 3 characters",
    ]);
  });

  it("is rejected with the missing fields and the choices of an enum", async () => {
    const input = z.object({
      n: z.number().min(1),
      size: z.enum(["small", "large"]),
      list: z.array(z.object({ side: z.literal("buy") })),
      either: z.union([z.string(), z.boolean()]),
      own: z.string("say whose"),
      nothing: z.string(),
      odd: z.enum(["a", "b"]),
    });
    const refused = setup().run(variant({ input }), { list: [{}], nothing: null, odd: "c" });
    await expect(refused).rejects.toMatchObject({
      message: expect.stringMatching(/: n: is required; size: is required: one of "small"\|"large"; /),
      data: {
        errors: [
          { pointer: "/n", detail: "is required" },
          { pointer: "/size", detail: 'is required: one of "small"|"large"' },
          { pointer: "/list/0/side", detail: 'is required: "buy"' },
          { pointer: "/either", detail: "is required" },
          { pointer: "/own", detail: "say whose" },
          { pointer: "/nothing", detail: "is required" },
          { pointer: "/odd", detail: 'must be one of "a"|"b"' },
        ],
      },
    });
  });

  it("is rejected with unknown names truncated and in plain text", async () => {
    const { said } = await setup()
      .run(variant({ input: z.object({ n: z.number() }).strict() }), {
        n: 1,
        [`\u202e\u001b[31m${"x".repeat(1_000)}`]: 1,
        ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, i])),
      })
      .then(
        () => ({ said: "" }),
        (refusal: ToolError) => ({ said: JSON.stringify([refusal.message, refusal.data]) }),
      );
    expect(said).toContain(`/${"x".repeat(39)}…`);
    expect(said.length).toBeLessThan(1_500);
    expect(said).not.toMatch(/\\u202e|\\u001b/);
  });

  it("is rejected with at most ten errors", async () => {
    const input = z.object({ list: z.array(z.number()) });
    const refused = setup().run(variant({ input }), { list: Array(100).fill("x") });
    await expect(refused).rejects.toMatchObject({ data: { errors: { length: 10 } } });
  });

  it.each([[undefined], [null], [{}]])("may be %o if every field has a default", async (raw) => {
    const tool = variant({ input: z.object({}).strict() });
    await expect(setup().run(tool, () => raw)).resolves.toEqual({ twice: 0 });
  });

  it.each([[[1]], ["text"], [7]])("may not be %o", async (raw) => {
    for (const detail of ["concise", undefined] as const)
      await expect(setup({ ...(detail && { detail }) }).run(double, raw)).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
  });

  it("gets the transport's default of `detail`", async () => {
    expect(await setup({ detail: "concise" }).run(double)).toEqual({ twice: 4, detail: "concise" });
    const requested = { n: 1, detail: "concise" };
    expect(await setup({ detail: "full" }).run(double, requested)).toEqual({ twice: 2, detail: "concise" });
    expect(await setup().run(double)).toEqual({ twice: 4 });
  });

  it("gets no `detail` for a tool without that field", async () => {
    const tool = variant({ input: z.object({ n: z.number() }).strict() });
    await expect(setup({ detail: "full" }).run(tool)).resolves.toEqual({ twice: 0 });
  });
});

describe("output", () => {
  it("is validated; invalid output is INTERNAL and never returned", async () => {
    const { run, lines } = setup();
    await expect(run(variant({}, () => ({ twice: "four" })))).rejects.toMatchObject({
      code: "INTERNAL",
      message: "The tool failed unexpectedly",
      data: undefined,
    });
    expect(lines).toMatchObject([
      { level: "error", fields: { code: "INTERNAL", cause: expect.any(z.ZodError) } },
    ]);
  });

  it("loses undeclared fields", async () => {
    expect(await setup().run(variant({}, () => ({ twice: 4, secret: 1 })))).toEqual({ twice: 4 });
  });
});

describe("an unexpected failure", () => {
  it("is INTERNAL for the caller, with its cause in the log", async () => {
    const { run, lines } = setup();
    const cause = new TypeError("password=hunter2");
    const failing = variant({}, () => {
      throw cause;
    });
    const refusal = { code: "INTERNAL", message: "The tool failed unexpectedly" };
    await expect(run(failing)).rejects.toMatchObject(refusal);
    expect(lines).toMatchObject([
      { level: "error", fields: { tool: "double_number", code: "INTERNAL", cause } },
    ]);
  });
});

describe("the log", () => {
  const line = { tool: "double_number", transport: "test", account: "member", ms: 0 };

  it("has one line per call with its result code", async () => {
    const { run, lines } = setup();
    await run(double);
    await run(double, { n: 11 }).catch(() => {});
    await run(variant({ plan: "pro" })).catch(() => {});
    expect(lines).toEqual(
      ["OK", "INVALID_INPUT", "PLAN_REQUIRED"].map((code, i) => ({
        level: "info",
        event: "call",
        fields: { ...line, code, request_id: `00000000-0000-4000-8000-00000000000${i + 1}` },
      })),
    );
  });

  it("measures durations with the injected clock", async () => {
    const { log, lines } = collectingLog();
    let at = NOW.getTime();
    const clock = { now: () => new Date(at) };
    const slow = variant({}, () => {
      at += 250;
      return { twice: 0 };
    });
    await invoke(slow, { n: 1 }, { ports: testPorts({ log, clock }), principal: member, transport: "test" });
    expect(lines[0]?.fields.ms).toBe(250);
  });

  it("has entries of nested writes, but not of nested reads", async () => {
    const { run, lines } = setup({ nested: true, principal: { ...pro, scopes: ["read", "trade:paper"] } });
    await run(double);
    expect(lines).toEqual([]);
    await run(variant({ effect: "trade", route: "POST /api/v1/act" }));
    expect(lines).toMatchObject([{ level: "info", fields: { tool: double.name, code: "OK" } }]);
  });

  it("never contains the input", async () => {
    const { run, lines } = setup();
    await run(double, { n: 7, key: "ms_secret" }).catch(() => {});
    expect(JSON.stringify(lines)).not.toMatch(/ms_secret|"n"/);
  });
});

describe("a call that takes too long", () => {
  const never = () => new Promise(() => {});

  it.each([
    [undefined, 30_000],
    [50, 50],
  ])(
    "with a deadline of %o ends after %i ms, even if the handler ignores the signal",
    async (deadlineMs, ms) => {
      vi.useFakeTimers();
      const { run, lines } = setup();
      const ended = vi.fn();
      const call = run(variant({ deadlineMs }, never)).catch(ended);
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(ended).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await call;
      expect(ended.mock.calls[0]?.[0]).toMatchObject({
        code: "DEADLINE",
        message: `"double_number" did not finish within ${ms} ms`,
      });
      expect(lines).toMatchObject([{ level: "info", fields: { code: "DEADLINE" } }]);
    },
  );

  it("aborts the handler's signal", async () => {
    vi.useFakeTimers();
    const reasons: unknown[] = [];
    const tool = variant({}, (_, { signal }) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      return never();
    });
    const call = setup()
      .run(tool)
      .catch(() => {});
    await vi.advanceTimersByTimeAsync(30_000);
    await call;
    expect(reasons).toMatchObject([{ code: "DEADLINE" }]);
  });

  it("leaves no timer after it ends", async () => {
    vi.useFakeTimers();
    await setup().run(double);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a call with an idempotency hook", () => {
  it("passes the raw input after validation, and charges the daily quota when the work runs", async () => {
    const inputs: unknown[] = [];
    const { run, debits } = setup({
      runOnce: async (input, work) => {
        inputs.push(input, debits.burst, debits.day);
        return work();
      },
    });
    expect(await run(double, { n: 2, detail: "full" })).toEqual({ twice: 4, detail: "full" });
    expect(inputs).toEqual([{ n: 2, detail: "full" }, 1, 0]);
    expect(debits).toEqual({ burst: 1, day: 1 });
    await run(double, { n: 2 });
    expect(inputs[3]).toEqual({ n: 2 });
    await expect(run(double, { n: 11 })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(inputs).toHaveLength(6);
  });

  it("does not run or charge the daily quota when the hook returns a result", async () => {
    const { run, debits } = setup({ runOnce: async <R>() => ({ twice: 7 }) as R });
    const never = variant({}, () => {
      throw new Error("run");
    });
    expect(await run(never)).toEqual({ twice: 7 });
    expect(debits).toEqual({ burst: 1, day: 0 });
  });
});

describe("cancellation by the caller", () => {
  it("ends the call at once, even if the handler ignores the signal", async () => {
    const leaving = new AbortController();
    const { run } = setup({ signal: leaving.signal });
    const call = run(variant({}, () => new Promise(() => {})));
    setImmediate(() => leaving.abort(new Error("socket closed")));
    await expect(call).rejects.toMatchObject({ code: "CANCELLED", message: "The call was cancelled" });
  });

  it("does not call the handler if cancelled before", async () => {
    const handler = vi.fn();
    const call = setup({ signal: AbortSignal.abort() }).run(variant({}, handler));
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    expect(handler).not.toHaveBeenCalled();
  });

  it("is CANCELLED for any error of the handler", async () => {
    const leaving = new AbortController();
    const tool = variant({}, (_, { signal }) => {
      leaving.abort();
      signal.throwIfAborted();
    });
    await expect(setup({ signal: leaving.signal }).run(tool)).rejects.toMatchObject({ code: "CANCELLED" });
  });

  it("removes its listener after the call", async () => {
    const staying = new AbortController();
    const removed = vi.spyOn(staying.signal, "removeEventListener");
    await setup({ signal: staying.signal }).run(double);
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe("a call with a cancellation object", () => {
  const turn = () => new Promise(setImmediate);
  const ending = () => ({ controller: new AbortController(), watch: vi.fn() });

  it("starts to watch only when the work outlasts its event loop iteration", async () => {
    const quick = ending();
    await setup({ cancellation: quick }).run(variant({}, async () => ({ twice: 4 })));
    await turn();
    expect(quick.watch).not.toHaveBeenCalled();
    const slow = ending();
    const tool = variant({}, () =>
      turn()
        .then(turn)
        .then(() => ({ twice: 4 })),
    );
    expect(await setup({ cancellation: slow }).run(tool)).toEqual({ twice: 4 });
    expect(slow.watch).toHaveBeenCalledOnce();
  });

  it("is CANCELLED when the controller aborts, immediately or in watch", async () => {
    const never = variant({}, () => new Promise(() => {}));
    const later = ending();
    const call = setup({ cancellation: later }).run(never);
    setTimeout(() => later.controller.abort(), 1);
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    const gone = ending();
    gone.watch.mockImplementation(() => gone.controller.abort());
    await expect(setup({ cancellation: gone }).run(never)).rejects.toMatchObject({ code: "CANCELLED" });
  });

  it("does not charge the daily quota if aborted before the start", async () => {
    const ended = ending();
    ended.controller.abort();
    const { run, debits } = setup({ cancellation: ended });
    await expect(run(double)).rejects.toMatchObject({ code: "CANCELLED" });
    expect(debits).toEqual({ burst: 1, day: 0 });
  });

  it("aborts the controller at the deadline", async () => {
    vi.useFakeTimers();
    const late = ending();
    const call = expect(
      setup({ cancellation: late }).run(variant({ deadlineMs: 50 }, () => new Promise(() => {}))),
    ).rejects.toMatchObject({ code: "DEADLINE" });
    await vi.advanceTimersByTimeAsync(50);
    await call;
    expect(late.controller.signal.reason).toMatchObject({ code: "DEADLINE" });
  });
});
