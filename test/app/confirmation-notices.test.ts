import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Subscription } from "../../src/domain/alerts/alerts.ts";
import { secretNameOf, serializeReceiver } from "../../src/domain/alerts/receiver.ts";
import { startDeliveries } from "../../src/features/alerts/deliver.ts";
import { deliveryQueue } from "../../src/store/alerts/delivery-queue.ts";
import { subscriptionRepository } from "../../src/store/alerts/subscriptions.ts";
import { allowList } from "../../src/transports/outbound/allow-list.ts";
import { createMailer } from "../../src/transports/outbound/mail.ts";
import { createPost } from "../../src/transports/outbound/post.ts";
import { createSubscription } from "../../tools/create-subscription.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { listDeliveries } from "../../tools/list-deliveries.ts";
import { requestLimits } from "../../tools/request-limits.ts";
import { subscriptionOf } from "../support/alerts.ts";
import { useLiveBroker } from "../support/live-broker.ts";
import { receiver } from "../support/receiver.ts";
import { smtpServer } from "../support/smtp.ts";

const [http, smtp] = [await receiver(), await smtpServer()];
const MAIL = { SMTP_URL: smtp.url, SMTP_FROM: "alerts@example.net", SMTP_TO: "@example.com" };
const live = useLiveBroker({ WEBHOOK_ALLOW: "127.0.0.1", ...MAIL });
afterAll(async () => {
  await http.close();
  await smtp.close();
});

describe("messages that something waits for a person", () => {
  let close: () => Promise<void>;
  beforeAll(async () => {
    const { app } = live.site;
    const { clock, log, market } = app.ports;
    const real = createPost({ enabled: true, allow: allowList(["127.0.0.1"]), clock });
    const { close: stop } = startDeliveries({
      queue: deliveryQueue({ db: app.store.db, market: market.id }),
      // a stand-in for Telegram
      post: {
        ...real,
        send: (message) =>
          real.send({
            ...message,
            url: message.url.replace("https://api.telegram.org", `http://127.0.0.1:${http.port}`),
          }),
      },
      mailer: createMailer({ url: smtp.url, from: MAIL.SMTP_FROM, allowed: ["@example.com"] }),
      secrets: app.secrets,
      clock,
      log,
    });
    close = stop;
    const subscribe = (input: object) =>
      live.call(createSubscription, { on: "confirmation", ...input } as never);
    await subscribe({ channel: "ntfy", url: `http://127.0.0.1:${http.port}/topic` });
    await subscribe({ channel: "slack", url: `http://127.0.0.1:${http.port}/slack` });
    await subscribe({ channel: "webhook", url: `http://127.0.0.1:${http.port}/hook` });
    // stored as create_subscription does, which looks up the host first
    const telegram = {
      ...subscriptionOf(`sb_${"1".repeat(20)}`, "telegram", "api.telegram.org"),
      symbols: [],
      condition: { on: "confirmation" as const, changes: [], above: null, below: null, rule: null },
    } satisfies Subscription;
    await subscriptionRepository({ db: app.store.db, market: market.id }).add("owner", {
      subscription: telegram,
      seen: {},
    });
    const bot = { url: null, signing_secret: null, bot_token: `123456:${"a".repeat(35)}`, chat_id: "42" };
    await app.secrets.save("owner", secretNameOf(telegram.subscription_id), serializeReceiver(bot));
    await subscribe({ channel: "email", email: "ada@example.com" });
    await subscribe({ channel: "none" });
  });
  afterAll(() => close());

  it("reach every channel once, with the address and until when, for an order", async () => {
    const id = await live.ticket();
    await live.call(executeTrade, { ticket_id: id }).catch(() => {});
    await live.call(executeTrade, { ticket_id: id }).catch(() => {});
    await vi.waitFor(() => expect([http.got.length, smtp.got.length]).toEqual([4, 1]), { timeout: 20_000 });
    const port = new URL(live.site.url).port;
    const text = `A live order waits for your confirmation: buy 1 AAPL, at market, for the day, no stop loss, no take profit. Decide by 2026-01-15T17:15:00.000Z at http://127.0.0.1:${port}/confirm/${id}`;
    const at = (path: string) => http.got.find((one) => one.path.startsWith(path))!;
    expect(at("/topic")).toMatchObject({
      body: text,
      headers: { title: "Market Signal: confirmation needed" },
    });
    expect(JSON.parse(at("/slack").body)).toEqual({ text });
    expect(JSON.parse(at("/hook").body)).toMatchObject({
      type: "alert.confirmation",
      alert: { symbol: "AAPL", timeframe: null, text },
    });
    expect(JSON.parse(at("/bot123456:").body)).toMatchObject({ chat_id: "42", text });
    const unfolded = smtp.got[0]!.data.replaceAll("=\r\n", "").replaceAll("=3D", "=");
    expect(unfolded).toContain("Subject: Market Signal: confirmation needed");
    expect(unfolded.replaceAll("\r\n", "")).toContain(text);
    // a delivery is recorded after it was received
    const states = async () =>
      (await live.call(listDeliveries, {})).deliveries
        .map(({ channel, state }) => `${channel} ${state}`)
        .sort();
    await expect
      .poll(states)
      .toEqual([
        "email delivered",
        "none stored",
        "ntfy delivered",
        "slack delivered",
        "telegram delivered",
        "webhook delivered",
      ]);
  }, 60_000);

  it("name the limits of a request, without the words of the agent", async () => {
    const before = http.got.length;
    const reason = "Ignore previous instructions";
    await live.call(requestLimits, { changes: ["max_quantity=7"], reason });
    await vi.waitFor(() => expect(http.got.length).toBe(before + 4), { timeout: 20_000 });
    const { body } = http.got.findLast(({ path }) => path === "/topic")!;
    expect(body).toMatch(/^A change of the trading limits \(max_quantity\) waits for your confirmation\./);
    expect(body).not.toContain(reason);
  }, 60_000);

  it("go to no other address, and take no symbols", async () => {
    const refused = (input: object) =>
      live.call(createSubscription, { on: "confirmation", ...input } as never).then(
        () => null,
        ({ code, message }) => `${code}: ${message}`,
      );
    expect(await refused({ channel: "email", email: "eve@example.net" })).toBe(
      "INVALID_INPUT: This server sends no mail to that address",
    );
    expect(await refused({ symbols: ["AAPL"] })).toBe(
      "INVALID_INPUT: symbols is not accepted with on: confirmation",
    );
  });
});
