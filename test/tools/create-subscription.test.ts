import { describe, expect, it } from "vitest";
import { parseReceiver, secretNameOf } from "../../src/domain/alerts/receiver.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { createSubscription } from "../../tools/create-subscription.ts";
import { pro } from "../support/context.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { alertMarket, alertRunFixture } from "../support/watch.ts";

const fixture = await alertMarket();
const { ports, stored } = fixture;
const create = (input: object, account = "ada", over = ports) =>
  callerOf(createSubscription, over, { ...pro, account })(input);
const refused = async (input: object) =>
  create({ symbols: ["AAPL"], ...input }).then(
    () => [],
    (error: ToolError) => [
      error.code,
      ...((error.data?.errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer),
    ],
  );

describe("create_subscription", () => {
  it("watches the signal of symbols, by default for both kinds of change", async () => {
    const answer = await create({ symbols: ["aapl", "AAPL", "BTC/USD"], name: "mine\u0007" });
    expect(answer).toMatchObject({
      subscription: {
        subscription_id: expect.stringMatching(/^sb_[0-9a-f]{20}$/),
        symbols: ["AAPL", "BTC-USD"],
        timeframe: "1d",
        name: "mine",
        channel: "none",
        target: null,
        condition: { on: "signal", changes: ["direction", "grade"], above: null, below: null, rule: null },
        state: "active",
        reason: null,
        created_at: "2026-01-15T15:00:00.000Z",
      },
      signing_secret: null,
      market: "sample",
    });
    expect(await ports.subscriptions.find("ada", answer.subscription.subscription_id)).toEqual(
      answer.subscription,
    );
    expect(await ports.subscriptions.find("bob", answer.subscription.subscription_id)).toBeNull();
  });

  it("arms a price level, and states when the price is already beyond it", async () => {
    const { condition_states } = await create({
      symbols: ["AAPL", "BTC-USD"],
      on: "price",
      above: 137,
      below: 90,
    });
    expect(condition_states[0]).toEqual({
      symbol: "AAPL",
      holds: true,
      text: "Already above 137 USD, 138 USD at 2026-01-15T14:50:00.000Z from fixture: triggers after the price returns and crosses the level again.",
    });
    const { condition_states: under } = await create({ symbols: ["AAPL", "MSFT"], on: "price", above: 138 });
    expect(under).toMatchObject([
      { holds: false, text: "Armed at 138 USD at 2026-01-15T14:50:00.000Z from fixture." },
      { symbol: "MSFT", holds: null, text: "No price of MSFT: the first evaluation arms the condition." },
    ]);
  });

  it("arms a rule, and states when it is already true", async () => {
    // closes rise by an eighth of a dollar a day
    const { condition_states } = await create({
      symbols: ["AAPL", "MSFT"],
      on: "rule",
      rule: "close > sma(5)",
    });
    expect(condition_states).toMatchObject([
      {
        symbol: "AAPL",
        holds: true,
        text: expect.stringMatching(/^Already true at the close of 2026-01-14T21/),
      },
      { symbol: "MSFT", holds: false },
    ]);
  });

  it("encrypts the address and secrets, and returns only the host and, once, the signing secret", async () => {
    const url = "https://hooks.example.com/path/canary";
    const hook = { symbols: ["AAPL"], channel: "webhook", url };
    const { subscription, signing_secret } = await create(hook, "cleo");
    expect(signing_secret).toMatch(/^whsec_/);
    expect(subscription.target).toBe("hooks.example.com");
    const sealed = stored.get(`cleo ${secretNameOf(subscription.subscription_id)}`)!;
    expect(parseReceiver(sealed)).toEqual({
      url,
      signing_secret,
      bot_token: null,
      chat_id: null,
      email: null,
    });
    const rows = await fixture.store.db.selectFrom("subscriptions").selectAll().execute();
    expect(JSON.stringify([rows, await ports.subscriptions.list("cleo")])).not.toMatch(/canary|whsec_/);
    const chat = { channel: "telegram", bot_token: `1:${"canary".repeat(5)}`, chat_id: "-5" };
    const bot = await create({ symbols: ["AAPL"], ...chat }, "cleo");
    expect(bot.signing_secret).toBeNull();
    expect(JSON.stringify(bot)).not.toContain("canary");
    await ports.subscriptions.remove("cleo", subscription.subscription_id);
    expect(stored.has(`cleo ${secretNameOf(subscription.subscription_id)}`)).toBe(false);
  });

  it("returns an equal subscription instead of a second one, also to calls at the same time", async () => {
    const hook = { channel: "webhook", url: "https://hooks.example.com/one" };
    const equal: readonly object[] = [
      { on: "confirmation", ...hook },
      { symbols: ["AAPL", "MSFT"] },
      { symbols: ["AAPL"], on: "price", above: 200, channel: "ntfy", url: "https://ntfy.sh/topic" },
      { symbols: ["AAPL"], on: "rule", rule: "rsi(14) < 30", ...hook },
    ];
    for (const [n, input] of equal.entries()) {
      const made = await Promise.all([create(input, "fay"), create(input, "fay"), create(input, "fay")]);
      expect(new Set(made.map(({ subscription }) => subscription.subscription_id)).size).toBe(1);
      const secrets = made.filter(({ signing_secret }) => signing_secret !== null);
      expect(secrets).toHaveLength("url" in input && input.url === hook.url ? 1 : 0);
      expect(await ports.subscriptions.list("fay")).toHaveLength(n + 1);
    }
    const { notes } = await create({ on: "confirmation", timeframe: "1h", name: "again", ...hook }, "fay");
    expect(notes[0]).toBe(
      "The same subscription is active since 2026-01-15T15:00:00.000Z; nothing was created. Its name is still none. Its signing secret was shown only then: to get a new one, cancel it and subscribe again.",
    );
    const rule = (text: string, name?: string) =>
      create({ symbols: ["AAPL"], on: "rule", rule: text, name }, "gus");
    await rule("rsi(14) < 30 and close > sma(200)", "dip");
    for (const name of ["dip", "other"]) {
      const again = await rule("rsi(14)<30  and close>sma( 200 )", name);
      expect(again.notes[0]).toBe(
        `The same subscription is active since 2026-01-15T15:00:00.000Z; nothing was created.${name === "dip" ? "" : ' Its name is still "dip".'}`,
      );
    }
    await rule("rsi(14) < 31 and close > sma(200)");
    expect(await ports.subscriptions.list("gus")).toHaveLength(2);
    const { subscription } = await create({ symbols: ["MSFT", "AAPL"] }, "fay");
    await create({ symbols: ["AAPL", "MSFT"], timeframe: "1h" }, "fay");
    await create({ on: "confirmation", ...hook, url: "https://hooks.example.com/two" }, "fay");
    expect(await ports.subscriptions.list("fay")).toHaveLength(6);
    await ports.subscriptions.remove("fay", subscription.subscription_id);
    expect(await create({ symbols: ["AAPL", "MSFT"] }, "fay")).toMatchObject({ notes: [expect.any(String)] });
    expect(await ports.subscriptions.list("fay")).toHaveLength(6);
  });

  it("stores nothing when the address is forbidden", async () => {
    const refusing = await alertRunFixture({
      post: { check: () => Promise.reject(new ToolError("INVALID_INPUT", "The address is private")) },
    });
    // the address of a Telegram bot is checked too
    for (const receiver of [
      { channel: "webhook", url: "https://10.0.0.1/" },
      { channel: "telegram", bot_token: `1:${"a".repeat(35)}`, chat_id: "5" },
    ]) {
      const asked = create({ symbols: ["BTC-USD"], ...receiver }, "ada", refusing.ports as never);
      await expect(asked).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
    expect(await refusing.subscriptions.list("ada")).toEqual([]);
    expect(refusing.stored.size).toBe(0);
  });

  it("rejects missing or conflicting fields, each with its pointer", async () => {
    expect(await refused({ watchlist: "tech" })).toEqual(["INVALID_INPUT", "/symbols"]);
    expect(await refused({ on: "price" })).toEqual(["INVALID_INPUT", "/above"]);
    expect(await refused({ on: "price", above: 5, below: 5 })).toEqual(["INVALID_INPUT", "/below"]);
    expect(await refused({ above: 5, rule: "close > 5" })).toEqual(["INVALID_INPUT", "/above", "/rule"]);
    expect(await refused({ on: "rule" })).toEqual(["INVALID_INPUT", "/rule"]);
    expect(await refused({ on: "rule", rule: "clse > 5" })).toEqual(["INVALID_INPUT", "/rule"]);
    expect(await refused({ channel: "slack" })).toEqual(["INVALID_INPUT", "/url"]);
    expect(await refused({ url: "https://a.example" })).toEqual(["INVALID_INPUT", "/url"]);
    expect(await refused({ channel: "telegram" })).toEqual(["INVALID_INPUT", "/bot_token", "/chat_id"]);
    expect(await refused({ channel: "telegram", bot_token: "1:short", chat_id: "5" })).toEqual([
      ...["INVALID_INPUT", "/bot_token"],
    ]);
    expect(await refused({ symbols: ["QQQQQQ"] })).toEqual(["UNKNOWN_SYMBOL"]);
    expect(await refused({ symbols: undefined, watchlist: "none" })).toEqual(["NOT_FOUND"]);
  });

  it("stores at most 200 subscriptions of an account", async () => {
    const asked = { symbols: ["AAPL"] };
    const one = await create(asked, "dan");
    const rows = Array.from({ length: 199 }, (_, i) => ({
      account: "dan",
      market: "test",
      id: `sb_${i}`,
      name: null,
      symbols: "[]",
      watchlist: null,
      timeframe: "1d",
      condition: JSON.stringify(one.subscription.condition),
      channel: "none",
      target: null,
      created_at: "2026-01-15T15:00:00.000Z",
      state: "paused",
      reason: null,
      seen: "{}",
    }));
    await fixture.store.db.insertInto("subscriptions").values(rows).execute();
    const another = { symbols: ["MSFT"] };
    await expect(create(another, "dan")).rejects.toMatchObject({ code: "REFUSED" });
    expect((await create(asked, "dan")).subscription).toEqual(one.subscription);
    expect(await create(another, "eve")).toMatchObject({ success: true });
  });
});

toolContract(createSubscription, { ports });
