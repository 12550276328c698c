import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/kernel/errors.ts";
import type { Prompt } from "../../../src/transports/cli/host.ts";
import type { ProviderKey } from "../../../src/transports/cli/host-settings.ts";
import { settingOf, testCli } from "./test-host.ts";

const PROVIDERS: readonly ProviderKey[] = [
  { title: "One", gives: "real-time quotes", terms: "non-commercial", settings: ["ONE_KEY"] },
  { title: "Two", gives: "news", terms: "free key", settings: ["TWO_KEY", "TWO_SECRET"] },
];
const FLAGS = [
  { name: "MARKET_DATA", option: "market-data", purpose: "Market" },
  { name: "PORT", option: "port", purpose: "Port" },
  { name: "PAPER_EQUITY", option: "paper-equity", purpose: "Cash" },
  { name: "HOST", option: "host", purpose: "Address" },
];
const QUESTIONS = {
  market:
    "Market: sample (simulated), live (real prices of public providers) or files:<folder> (your CSV files)",
  port: "Port of the server",
  equity: "Cash in US dollars with which a new paper account starts",
  provider: "Number of a provider whose key you have [go on]: ",
};

/** The command line of a folder with these answers at its terminal; null: without a terminal. */
function setupWith(answers: readonly string[] | null, secrets: readonly string[] = []) {
  const values: Record<string, string> = { MARKET_DATA: "sample", PORT: "8787", PAPER_EQUITY: "100000" };
  const [left, leftSecrets] = [[...(answers ?? [])], [...secrets]];
  const questions: string[] = [];
  const next =
    (queue: string[]) =>
    async ({ question }: Prompt) => {
      questions.push(question);
      const answer = queue.shift();
      if (answer === undefined) throw new Error(`no answer to ${question}`);
      return answer;
    };
  const cli = testCli({
    host: {
      settingOptions: FLAGS,
      providerKeys: async () => PROVIDERS,
      settings: async () =>
        ["MARKET_DATA", "PORT", "PAPER_EQUITY", "ONE_KEY", "TWO_KEY", "TWO_SECRET"].map((name) =>
          settingOf(name, values[name] ?? null, { source: "config.toml" }),
        ),
      async storeSetting(name, text) {
        if (name === "PORT" && !/^\d+$/.test(text!))
          throw new ToolError("INVALID_INPUT", "PORT: must be a port number, 0 to 65535");
        values[name] = text!;
        return { place: "/data/config.toml", wasSet: true };
      },
      readSecret: next(leftSecrets),
      ...(answers !== null && { prompt: next(left) }),
    },
  });
  return { ...cli, values, questions };
}

describe("setup", () => {
  it("keeps the present values for empty answers", async () => {
    const { run, values, questions } = setupWith(["", "", ""]);
    const { code, out } = await run("setup");
    expect(code).toBe(0);
    expect(questions).toEqual([
      `${QUESTIONS.market} [sample]: `,
      `${QUESTIONS.port} [8787]: `,
      `${QUESTIONS.equity} [100000]: `,
    ]);
    expect(values).toEqual({ MARKET_DATA: "sample", PORT: "8787", PAPER_EQUITY: "100000" });
    expect(out.split("\n").slice(-5)).toEqual([
      "MARKET_DATA  sample  (config.toml)",
      "PORT  8787  (config.toml)",
      "PAPER_EQUITY  100000  (config.toml)",
      "market-signal serve starts the server; a running one uses the settings after a restart.",
      "",
    ]);
  });

  it("shows what each key adds with its terms, stores keys unseen, and asks again after a wrong answer", async () => {
    const answers = ["live", "3", "2", "", "http", "9000", "50000"];
    const { run, values, questions } = setupWith(answers, ["key-of-two", "secret-of-two"]);
    const { code, out } = await run("setup");
    expect(code).toBe(0);
    expect(out).toContain("  1  One: real-time quotes\n     terms: non-commercial\n");
    expect(out).toContain("Type a number from 1 to 2, or nothing.\n");
    expect(out).toContain("PORT: must be a port number, 0 to 65535\n");
    expect(out).not.toMatch(/key-of-two|secret-of-two/);
    expect(questions.filter((question) => question === `${QUESTIONS.port} [8787]: `)).toHaveLength(2);
    expect(values).toEqual({
      MARKET_DATA: "live",
      PORT: "9000",
      PAPER_EQUITY: "50000",
      TWO_KEY: "key-of-two",
      TWO_SECRET: "secret-of-two",
    });
    const again = setupWith(["live", "", "", ""]);
    again.values.ONE_KEY = "set (sealed)";
    expect((await again.run("setup")).out).toContain("  1  One (key is set): real-time quotes\n");
  });

  it("requests nothing that an option gives", async () => {
    const { run, values, questions } = setupWith(["", ""]);
    expect((await run("setup", "--market-data", "files:bars")).code).toBe(0);
    expect(questions).toEqual([`${QUESTIONS.port} [8787]: `, `${QUESTIONS.equity} [100000]: `]);
    expect(values.MARKET_DATA).toBe("files:bars");
  });

  it.each([
    [
      ["--live", "--port", "9000", "--paper-equity", "5"],
      { MARKET_DATA: "live", PORT: "9000", PAPER_EQUITY: "5" },
    ],
    [["--live", "--yes"], { MARKET_DATA: "live", PORT: "8787", PAPER_EQUITY: "100000" }],
  ])("needs no terminal with %j", async (words, values) => {
    const cli = setupWith(null);
    const { code, out } = await cli.run("setup", ...words, "--json");
    expect(code).toBe(0);
    expect(cli.values).toEqual(values);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      settings: Object.entries(values).map(([name, value]) => ({ name, value })),
    });
  });

  it("refuses to run without a terminal unless options give all answers", async () => {
    const cli = setupWith(null);
    expect(await cli.run("setup", "--live")).toEqual({
      code: 2,
      out: "",
      err: expect.stringMatching(
        /^INVALID_INPUT setup needs a terminal for its questions\nGive all answers as/,
      ),
    });
    expect(cli.values.MARKET_DATA).toBe("sample");
  });

  it("refuses a wrong value of an option", async () => {
    const cli = setupWith(null);
    expect(await cli.run("setup", "--port", "http", "--yes")).toMatchObject({
      code: 2,
      err: "INVALID_INPUT PORT: must be a port number, 0 to 65535\n",
    });
  });
});
