import { beforeAll, describe, expect, it } from "vitest";
import { A2A_BINDINGS, a2aClient, dataIn, messageOf, TaskState, textIn } from "../../support/a2a-clients.ts";
import { NOW } from "../../support/context.ts";
import { useInstallation } from "../../support/installation.ts";

const installation = useInstallation("sample", {}, { clock: { now: () => NOW } });
let key: string;
beforeAll(async () => {
  ({ key } = await installation.key("enterprise"));
});

/** Returns the text and data of the response to a plain-text question. */
async function answerTo(text: string, way: (typeof A2A_BINDINGS)[number] = A2A_BINDINGS[0]) {
  const client = await a2aClient(installation.url, key, way);
  const task = await client.sendMessage(messageOf({ text }));
  if (!("status" in task)) throw new Error("no task");
  expect(task.status?.state, text).toBe(TaskState.TASK_STATE_COMPLETED);
  const parts = task.artifacts[0]?.parts;
  return { words: textIn(parts), data: dataIn(parts) };
}

const ASKS = [
  [
    "What are options traders doing in Nvidia?",
    "get_options_flow",
    /\| get_options_flow NVDA:\nNVDA at \$[\d.]+: options volume calls [\d,]+, puts [\d,]+, put\/call .*\n\d+ contracts, .* as of 2026-01-15T15:00:00\.000Z, from sample\n/,
  ],
  [
    "News on Nvidia",
    "get_news",
    /\| get_news NVDA:\nNVDA: (1 story|\d+ stories), .*\n.* 72 hours to 2026-01-15T15:00:00\.000Z\n/,
  ],
  ["When does Apple report?", "get_calendar", /\| get_calendar:\n[\s\S]*AAPL/],
  [
    "What is Congress buying?",
    "get_congress_signal",
    /\| (BUYING|SELLING|NEUTRAL) {2}lean -?[\d.]+ of -1 to 1; .*\n(.*\n)*filed 2025-12-02 to 2026-01-15\. /,
  ],
  [
    "odds of a Fed rate cut",
    "get_prediction_markets",
    /puts the chance of a rate cut by 20[\d-]+ at [\d.]+ percent/,
  ],
] as const;

describe.each(A2A_BINDINGS)("plain text over %s", (way) => {
  it.each(ASKS)("%s is answered with %s", async (text, skill, sentence) => {
    const { words, data } = await answerTo(text, way);
    expect(words).toMatch(sentence);
    expect(words).toMatch(/^SAMPLE \(simulated\) \| /);
    expect(data.results).toContainEqual(expect.objectContaining({ skill, error: null }));
    expect((JSON.stringify(data).length + words.length) / 4).toBeLessThan(2_000);
  });
});

describe("a secret in the wrong field", () => {
  const SECRET = "PKX7Q2M9W4TZ8RB5LN3C";

  it("is rejected in a text; a text about secrets is not", async () => {
    const client = await a2aClient(installation.url, key, A2A_BINDINGS[0]);
    const text = `Connect my broker with the API key ${SECRET}`;
    await expect(client.sendMessage(messageOf({ text }))).rejects.toThrow(/looks like a secret/);
    for (const receiver of [
      `Alert https://hooks.slack.com/services/T0/B0/${SECRET}`,
      `Alert my Telegram, bot token 123456:${SECRET}`,
    ])
      await expect(client.sendMessage(messageOf({ text: receiver }))).rejects.toThrow(/looks like a secret/);
    expect((await answerTo("What is an API key?")).words).toMatch(/^SAMPLE/);
  });

  it("is not stored with the task of a skill that accepts no secrets", async () => {
    const client = await a2aClient(installation.url, key, A2A_BINDINGS[0]);
    const input = { credentials: { api_key: SECRET } };
    const task = await client.sendMessage(messageOf({ data: { skill: "list_connections", input } }));
    expect(JSON.stringify(task)).not.toContain(SECRET);
    expect(JSON.stringify(task)).toContain("is not stored");
  });
});

describe("the example questions of the agent card", () => {
  it("are all understood if they name an instrument", async () => {
    // trading requests are not answered as questions
    const asks = installation.app.registry.tools
      .filter(({ effect }) => effect !== "trade")
      .flatMap(({ examples }) => examples.map(({ ask }) => ask));
    expect(asks.length).toBeGreaterThan(50);
    for (const ask of asks) {
      const { data } = await answerTo(ask);
      const { intent, symbols } = data as { intent: string; symbols: string[] };
      expect({ ask, unclear: symbols.length > 0 && intent === "unknown" }).toEqual({ ask, unclear: false });
    }
  }, 120_000);
});
