import { describe, expect, it } from "vitest";
import type { SignalChange } from "../../../src/domain/alerts/changes.ts";
import { formatRuleAlert, formatSignalChange } from "../../../src/features/alerts/alert-message.text.ts";
import {
  formatAlertText,
  formatChannelMessage,
  type OutgoingAlert,
} from "../../../src/features/alerts/channel-message.ts";
import { alertOf, SIGNING_SECRET } from "../../support/alerts.ts";
import { NOW } from "../../support/context.ts";
import { isSigned } from "../../support/webhook.ts";

const change: SignalChange = {
  change_id: "ch_1",
  symbol: "AAPL",
  timeframe: "1d",
  noticed_at: "2026-01-15T14:59:00.000Z",
  decided_at: "2026-01-14T21:00:00.000Z",
  changed: ["direction"],
  before: { direction: "WAIT", grade: "C", score: 51 },
  after: { direction: "LONG", grade: "A", score: 78 },
  drivers: [
    { id: "trend", from: -0.2, to: 0.6 },
    { id: "rsi", from: null, to: 0.3 },
    { id: "volume", from: 0.1, to: 0.2 },
    { id: "breadth", from: 0, to: 0.1 },
  ],
  price: 201.5,
  source: "Simulated market",
  model_version: "1",
};
const RECEIVER = {
  url: "https://hooks.example.com/a",
  signing_secret: SIGNING_SECRET,
  bot_token: null,
  chat_id: null,
};
const alert = alertOf("su_1");
const telling = (over: Partial<OutgoingAlert> = {}): OutgoingAlert => ({
  alert,
  on: "price",
  channel: "webhook",
  receiver: RECEIVER,
  at: NOW,
  ...over,
});
const bot = { url: null, signing_secret: null, bot_token: `123456:${"a".repeat(35)}`, chat_id: "-100" };

describe("the text of an alert", () => {
  it("labels simulated prices first, then names symbol, event, source and time", () => {
    expect(formatAlertText(alert)).toBe(
      "SAMPLE (simulated) | AAPL is above 200 USD: 201.5 USD at 2026-01-15T14:58:00.000Z (live from Simulated market).",
    );
    expect(formatAlertText(alertOf("su_1", 1, { market: "live" }))).toMatch(/^AAPL is above 200 USD/);
  });

  it("describes a change with its three largest driver moves", () => {
    expect(
      formatAlertText(alertOf("su_1", 1, { change, text: formatSignalChange(change), market: "live" })),
    ).toBe(
      "AAPL 1d: the signal changed from WAIT, grade C (score 51) to LONG, grade A (score 78). Decided at 2026-01-14T21:00:00.000Z at a close of 201.5 USD from Simulated market. Largest changes: trend from -0.2 to 0.6, rsi from none to 0.3, volume from 0.1 to 0.2.",
    );
  });

  it("describes a rule with time and provider of the bars", () => {
    const of = { symbol: "AAPL", timeframe: "1d", rule: "rsi(14) < 30", source: "fixture" };
    const text = formatRuleAlert(of, { close: 201.5, "rsi(14)": 29.12341 }, "2026-01-14T21:00:00.000Z");
    expect(formatAlertText(alertOf("su_1", 1, { text, market: "live" }))).toBe(
      "AAPL 1d: rsi(14) < 30 became true at the close of 2026-01-14T21:00:00.000Z (close 201.5, rsi(14) 29.1234), on bars from fixture. check_order checks an order in AAPL before it is placed.",
    );
  });

  it("sanitizes third-party text", () => {
    const source = "a\n\u202eb\u001b[31mc";
    const words = formatAlertText(alertOf("su_1", 1, { text: formatSignalChange({ ...change, source }) }));
    expect(words).not.toMatch(/[^ -~]/);
  });
});

describe("a webhook", () => {
  it("is signed, and has the same id and body at every attempt", () => {
    const [first, second] = [NOW, new Date(NOW.getTime() + 10_000)].map(
      (at) => formatChannelMessage(telling({ at }))!,
    );
    expect(JSON.parse(first!.body)).toEqual({
      type: "alert.price",
      market: "sample",
      label: "SAMPLE (simulated)",
      alert,
    });
    expect(first!.url).toBe("https://hooks.example.com/a");
    expect(first!.headers["webhook-id"]).toBe("al_su_1_1");
    expect([second!.body, second!.headers["webhook-id"]]).toEqual([first!.body, "al_su_1_1"]);
    expect(second!.headers["webhook-signature"]).not.toBe(first!.headers["webhook-signature"]);
    expect(isSigned(first!, SIGNING_SECRET, NOW)).toBe(true);
  });

  it("contains the changed drivers of a signal, and no label for real prices", () => {
    const live = alertOf("su_1", 1, { change, market: "live" });
    const body = JSON.parse(formatChannelMessage(telling({ alert: live, on: "signal" }))!.body);
    expect(body).toMatchObject({ type: "alert.signal", market: "live", label: null });
    expect(body.alert.change.drivers).toEqual(change.drivers);
  });
});

describe("the other channels", () => {
  it("send ntfy a title and tags", () => {
    const receiver = { ...RECEIVER, url: "https://ntfy.sh/my-topic", bot_token: "tk_abc" };
    expect(formatChannelMessage(telling({ channel: "ntfy", receiver }))).toEqual({
      url: "https://ntfy.sh/my-topic",
      headers: {
        "content-type": "text/plain; charset=utf-8",
        title: "SAMPLE (simulated) | AAPL 1d",
        tags: "bell,sample",
        authorization: "Bearer tk_abc",
      },
      body: formatAlertText(alert),
    });
    const long = alertOf("su_1", 1, { change, market: "live" });
    expect(formatChannelMessage(telling({ channel: "ntfy", alert: long }))!.headers).toMatchObject({
      title: "AAPL 1d",
      tags: "chart_with_upwards_trend",
    });
  });

  it("send Telegram plain text, only to its API", () => {
    const sent = formatChannelMessage(telling({ channel: "telegram", receiver: bot }))!;
    expect(sent.url).toBe(`https://api.telegram.org/bot${bot.bot_token}/sendMessage`);
    expect(JSON.parse(sent.body)).toEqual({
      chat_id: "-100",
      text: formatAlertText(alert),
      link_preview_options: { is_disabled: true },
    });
    for (const bot_token of ["x/../../evil", "1:short", "@evil.example.com/123456:aaaaaaaaaaaaaaaaaaaaaaaa"])
      expect(
        formatChannelMessage(telling({ channel: "telegram", receiver: { ...bot, bot_token } })),
      ).toBeNull();
  });

  it("escape Slack markup", () => {
    const said = alertOf("su_1", 1, { text: "<!channel> a & b > c" });
    const { url, body } = formatChannelMessage(telling({ channel: "slack", alert: said }))!;
    expect(url).toBe(RECEIVER.url);
    expect(JSON.parse(body).text).toContain("&lt;!channel&gt; a &amp; b &gt; c");
    expect(JSON.parse(body).text).toMatch(/^SAMPLE \(simulated\) \| &lt;/);
  });

  it("send nothing with a missing or incomplete receiver", () => {
    const nobody = { url: null, signing_secret: null, bot_token: null, chat_id: null };
    for (const channel of ["webhook", "ntfy", "telegram", "slack", "none"] as const)
      expect(formatChannelMessage(telling({ channel, receiver: nobody }))).toBeNull();
  });
});
