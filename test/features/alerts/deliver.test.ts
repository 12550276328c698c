import { describe, expect, it, onTestFinished } from "vitest";
import type { OutgoingRequest, OutgoingResponse } from "../../../src/domain/alerts/outbound-client-port.ts";
import { secretNameOf } from "../../../src/domain/alerts/receiver.ts";
import { startDeliveries } from "../../../src/features/alerts/deliver.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { alertOf, memoryQueue, subscriptionOf, webhookAt } from "../../support/alerts.ts";
import { collectingLog, NOW } from "../../support/context.ts";
import { memorySecrets } from "../../support/memory-secrets.ts";
import { movingClock } from "../../support/store.ts";

type Reply = (message: OutgoingRequest, n: number) => Promise<OutgoingResponse>;
const answer = (status: number, retryAfter: number | null = null): Promise<OutgoingResponse> =>
  Promise.resolve({ status, retryAfter });
const never = ({ signal }: OutgoingRequest) =>
  new Promise<OutgoingResponse>((_, reject) =>
    signal?.addEventListener("abort", () => reject(new ToolError("CANCELLED", "stopped"))),
  );

/** A worker over a queue in memory, with a manual clock and a scripted receiver. */
function bench(reply: Reply = () => answer(204), entitled = async (_account: string) => true) {
  const clock = movingClock();
  const secrets = memorySecrets();
  const memory = memoryQueue();
  const { log, lines: logged } = collectingLog();
  const sent: { readonly id: string; readonly url: string; readonly at: number }[] = [];
  const start = () =>
    startDeliveries({
      graceMs: 20,
      queue: memory.queue,
      secrets,
      clock,
      log,
      hasActiveEntitlement: entitled,
      post: {
        check: async () => {},
        send(message) {
          const id = message.headers["webhook-id"] ?? "";
          sent.push({ id, url: message.url, at: clock.now().getTime() - NOW.getTime() });
          return reply(message, sent.length);
        },
      },
    });
  let worker: ReturnType<typeof start> | undefined;
  onTestFinished(() => worker?.close());
  return {
    ...memory,
    clock,
    secrets,
    logged,
    sent,
    /** Puts alert `n` of a subscription of an account into the queue. */
    async given(
      id: string,
      n = 1,
      { account = "ada", host = `${id}.example.com`, channel = "webhook" as const } = {},
    ) {
      await secrets.save(account, secretNameOf(id), webhookAt(`https://${host}/`));
      const alert = alertOf(id, n);
      const subscription = subscriptionOf(id, channel, host);
      memory.add({ id: `dl_${id}_${n}`, account, subscription, alert }, clock.now().getTime());
    },
    async settle() {
      worker ??= start();
      worker.wake();
      for (let i = 0; i < 20; i++) await new Promise(setImmediate);
    },
    close: async () => worker?.close(),
  };
}
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("deliveries", () => {
  it("are sent at once, signed, under the id of their alert, and logged", async () => {
    const { given, settle, sent, lines } = bench();
    await given("a");
    await settle();
    expect(sent).toEqual([{ id: "al_a_1", url: "https://a.example.com/", at: 0 }]);
    expect(lines[0]).toMatchObject({
      state: "delivered",
      log: [{ at: NOW.toISOString(), status: 204, reason: null, ms: 0 }],
    });
  });

  it("are given up for an account without alerts", async () => {
    const { given, settle, sent, states, lines } = bench(undefined, async (account) => account !== "ada");
    await given("a");
    await given("b", 1, { account: "bob" });
    await settle();
    expect(sent.map(({ id }) => id)).toEqual(["al_b_1"]);
    expect(states()).toEqual({ dl_a_1: "undelivered", dl_b_1: "delivered" });
    expect(lines[0]!.log).toMatchObject([
      { status: null, reason: expect.stringContaining("does not include alerts") },
    ]);
  });

  it("are retried six times over two and a half hours, then given up and logged", async () => {
    const { given, settle, sent, clock, states, lines, logged } = bench(() => answer(500));
    await given("a");
    await settle();
    for (const wait of [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE]) {
      clock.pass(wait - 1);
      await settle();
      clock.pass(1);
      await settle();
    }
    expect(sent.map(({ at }) => at / SECOND)).toEqual([0, 10, 70, 370, 2_170, 9_370]);
    expect(new Set(sent.map(({ id }) => id))).toEqual(new Set(["al_a_1"]));
    expect(states()).toEqual({ dl_a_1: "undelivered" });
    expect(lines[0]!.log).toHaveLength(6);
    expect(lines[0]!.log[5]).toMatchObject({ status: 500, reason: "The receiver failed (HTTP 500)" });
    expect(logged.filter(({ event }) => event === "alert_undelivered")).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain("example.com");
  });

  it("wait for Retry-After when it is longer", async () => {
    const { given, settle, sent, clock } = bench((_, n) => (n === 1 ? answer(429, 90) : answer(200)));
    await given("a");
    await settle();
    clock.pass(90 * SECOND - 1);
    await settle();
    expect(sent).toHaveLength(1);
    clock.pass(1);
    await settle();
    expect(sent).toHaveLength(2);
  });

  it.each([
    [400, "undelivered"],
    [401, "undelivered"],
    [404, "undelivered"],
    [408, "waiting"],
    [425, "waiting"],
    [429, "waiting"],
    [301, "waiting"],
    [503, "waiting"],
    [200, "delivered"],
    [204, "delivered"],
  ])("after HTTP %i are %s", async (status, state) => {
    const { given, settle, states } = bench(() => answer(status));
    await given("a");
    await settle();
    expect(states()).toEqual({ dl_a_1: state });
  });

  it("pause their subscription when the receiver is gone", async () => {
    const { given, settle, states, paused } = bench(() => answer(410));
    await given("a");
    await settle();
    expect(states()).toEqual({ dl_a_1: "undelivered" });
    expect([...paused]).toEqual([
      ["a", "The receiver is gone (HTTP 410). Create a new subscription with another address."],
    ]);
  });

  it("are given up for a forbidden address, and retried without a response", async () => {
    const { given, settle, lines } = bench(async ({ url }) => {
      throw url.includes("inside")
        ? new ToolError("REFUSED", "The address leads inside")
        : new ToolError("UPSTREAM_UNAVAILABLE", "The receiver did not answer in time");
    });
    await given("inside");
    await given("away");
    await settle();
    expect(lines.map(({ state, log }) => [state, log[0]!.status, log[0]!.reason])).toEqual([
      ["undelivered", null, "The address leads inside"],
      ["waiting", null, "The receiver did not answer in time"],
    ]);
  });

  it("are given up without a stored receiver", async () => {
    const { given, settle, secrets, lines, sent } = bench();
    await given("a");
    await secrets.remove("ada", secretNameOf("a"));
    await settle();
    expect([lines[0]!.state, lines[0]!.log[0]!.reason, sent.length]).toEqual([
      "undelivered",
      "The receiver is missing or incomplete",
      0,
    ]);
  });

  it("stay in order within a subscription, also during retries", async () => {
    const { given, settle, sent, clock } = bench((_, n) => answer(n === 1 ? 500 : 200));
    for (const n of [1, 2, 3]) await given("a", n);
    await given("b");
    await settle();
    expect(sent.map(({ id }) => id)).toEqual(["al_a_1", "al_b_1"]);
    clock.pass(10 * SECOND);
    await settle();
    expect(sent.map(({ id }) => id).slice(2)).toEqual(["al_a_1", "al_a_2", "al_a_3"]);
  });

  it("to a hanging receiver block no others: four per host, eight per account", async () => {
    const { given, settle, sent, states } = bench((message) =>
      message.url.includes("hung") ? never(message) : answer(200),
    );
    for (let i = 0; i < 12; i++) await given(`slow${i}`, 1, { host: `hung${i % 2}.example.com` });
    await given("fast", 1, { account: "bob" });
    await settle();
    expect(sent.filter(({ url }) => url.includes("hung0"))).toHaveLength(4);
    expect(sent.filter(({ url }) => url.includes("hung1"))).toHaveLength(4);
    expect(states().dl_fast_1).toBe("delivered");
    await given("late");
    await settle();
    expect(states().dl_late_1).toBe("waiting");
    await given("later", 1, { account: "bob" });
    await settle();
    expect(states().dl_later_1).toBe("delivered");
  });

  it("to a host that hangs for one account reach other accounts", async () => {
    const { given, settle, sent, states } = bench((message) =>
      message.account === "ada" ? never(message) : answer(200),
    );
    for (let i = 0; i < 9; i++) await given(`slow${i}`, 1, { host: "shared.example.com" });
    await given("fast", 1, { host: "shared.example.com", account: "bob" });
    await settle();
    expect(sent).toHaveLength(4 + 1);
    expect(states().dl_fast_1).toBe("delivered");
  });

  it("to an unresponsive host are sent one at a time", async () => {
    const hangs: ((cause: Error) => void)[] = [];
    const { given, settle, sent } = bench((message) =>
      Promise.race([never(message), new Promise<never>((_, reject) => void hangs.push(reject))]),
    );
    for (let i = 0; i < 9; i++) await given(`s${i}`, 1, { host: "hung.example.com" });
    await settle();
    expect(sent).toHaveLength(4);
    for (const hang of hangs.splice(0)) hang(new ToolError("UPSTREAM_UNAVAILABLE", "no answer"));
    await settle();
    expect(sent).toHaveLength(5);
  });

  it("of a crashed process are sent again under the same id after its lease", async () => {
    const { given, settle, queue, sent, clock, states } = bench();
    await given("a");
    await queue.take(clock.now().getTime(), 1, 30 * SECOND);
    await settle();
    expect(sent).toEqual([]);
    clock.pass(30 * SECOND);
    await settle();
    expect(sent.map(({ id }) => id)).toEqual(["al_a_1"]);
    expect(states()).toEqual({ dl_a_1: "delivered" });
  });

  it("that outlast their lease are not sent twice", async () => {
    const { given, settle, sent, clock } = bench(never);
    await given("a");
    await settle();
    clock.pass(31 * SECOND);
    await settle();
    expect(sent).toHaveLength(1);
  });

  it("interrupted by a shutdown are sent by the next worker at once", async () => {
    const { given, settle, close, lines, clock } = bench(never);
    await given("a");
    await settle();
    await close();
    expect(lines[0]).toMatchObject({
      state: "waiting",
      nextAt: clock.now().getTime(),
      log: [{ status: null, reason: "The server stopped" }],
    });
  });

  it("continue after the queue could not be read", async () => {
    const { given, settle, queue, logged, states } = bench();
    await given("a");
    const { take } = queue;
    Object.assign(queue, {
      take: async () => {
        Object.assign(queue, { take });
        throw new Error("disk full");
      },
    });
    await settle();
    expect(logged.map(({ event }) => event)).toContain("deliveries");
    await settle();
    expect(states()).toEqual({ dl_a_1: "delivered" });
  });
});
