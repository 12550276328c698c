import { describe, expect, it } from "vitest";
import { DRIVERS } from "../../../src/analytics/drivers/table.ts";
import { carriesPrices } from "../../../src/kernel/sample-label.ts";
import { displayWidth } from "../../../src/lib/display-width.ts";
import { wrapLines } from "../../../src/lib/wrap-lines.ts";
import { formatAnswer } from "../../../src/transports/cli/answer.text.ts";
import { painter } from "../../../src/transports/cli/screen.ts";
import { type ExampleAnswer, useExampleAnswers } from "../../support/example-answers.ts";
import { refusedInModelText } from "../../support/model-texts.ts";
import { exampleCases } from "../../support/parity.ts";
import { testScreen } from "../cli/test-host.ts";

const { answers } = useExampleAnswers();

const question = ({ tool, input }: ExampleAnswer): string => `${tool.name} ${JSON.stringify(input)}`;
const completed = () => answers.filter(({ error }) => error === null);

it("are the answers to every published example, which only some trading examples refuse", () => {
  expect(answers).toHaveLength(exampleCases().length);
  const refused = answers.filter(({ error }) => error !== null);
  expect(refused.map(({ tool, error }) => `${tool.name}: ${error}`)).toEqual([]);
});

describe("the size of an answer over MCP", () => {
  /** Tools whose answers hold many rows by nature, and are read often. */
  const SMALL =
    /^(get_prediction_markets|get_congress_trades|get_political_trades|get_congress_signal|get_darkpool_prints|run_backtest|get_backtest)$/;
  /** Answers of several signals, and one that requests full detail. */
  const LONG: Readonly<Record<string, number>> = { run_task: 2_700, route_request: 3_400 };
  const limitOf = ({ tool, input }: ExampleAnswer): number =>
    SMALL.test(tool.name) ? 1_200 : input.detail === "full" ? 10_000 : (LONG[tool.name] ?? 2_000);

  it("is under 1,200 tokens for markets, Congress, prints and backtests, under 2,000 for others", () => {
    const tooLong = completed().flatMap((answer) => {
      const tokens = Math.ceil(JSON.stringify(answer.data).length / 4);
      return tokens < limitOf(answer) ? [] : [`${question(answer)}: ${tokens}`];
    });
    expect(tooLong).toEqual([]);
  });
});

describe("the figures of an answer", () => {
  /** Figures that are exact because they are signed, and driver figures, which add up to the score. */
  const EXACT = /\breceipt\.result\b/;
  const SIX_DECIMALS = /\b(drivers|driver|groups|sum|compared)\b/;
  /** Figures with as many digits as their size requires: indicators, and quantities as providers count them. */
  const SIGNIFICANT = /\b(inputs|indicators|rows|gamma|theta|vega|volume|units|quantity)\b/;

  const figuresIn = function* (value: unknown, path = ""): Generator<[path: string, value: number]> {
    if (typeof value === "number") yield [path, value];
    else if (Array.isArray(value)) for (const item of value) yield* figuresIn(item, `${path}[]`);
    else if (typeof value === "object" && value !== null)
      for (const [name, field] of Object.entries(value))
        yield* figuresIn(field, path === "" ? name : `${path}.${name}`);
  };
  const decimals = (value: number): number => {
    const [digits, exponent = "0"] = String(Math.abs(value)).split("e") as [string, string?];
    return Math.max(0, (digits.split(".")[1]?.length ?? 0) - Number(exponent));
  };
  const significant = (value: number): number =>
    String(Math.abs(value))
      .replace(/e.*/, "")
      .replace(".", "")
      .replace(/^0+|0+$/g, "").length;
  const isRounded = (path: string, value: number): boolean =>
    EXACT.test(path) ||
    Number.isInteger(value) ||
    (SIGNIFICANT.test(path)
      ? significant(value) <= 11
      : decimals(value) <= (SIX_DECIMALS.test(path) ? 6 : 4)) ||
    // prices of coins have five significant digits
    (Math.abs(value) < 1 && significant(value) <= 5);

  it("have no more digits than their kind has, in concise and in full detail", () => {
    const long = completed().flatMap(({ tool, data, full }) =>
      [...figuresIn(data), ...figuresIn(full)]
        .filter(([path, value]) => !isRounded(path, value))
        .map(([path, value]) => `${tool.name} ${path} ${value}`),
    );
    expect([...new Set(long)]).toEqual([]);
  });

  it("are scores and percents with two decimals", () => {
    const two =
      /(^|\.)(score|overallScore|ics_score|currentScore|ssi|return_pct|max_drawdown|win_rate|changePercent|change_percent|surprisePct|atr_percent)$/;
    const scores = completed().flatMap(({ tool, data, full }) =>
      [...figuresIn(data), ...figuresIn(full)]
        .filter(([path]) => two.test(path) && !EXACT.test(path))
        .map(([path, value]) => ({ where: `${tool.name} ${path}`, value })),
    );
    expect(scores.length).toBeGreaterThan(100);
    // scores on a scale to 1 are ratios
    const ratio = /elliott|news|sentiment|story|congress|political|most_bought|most_sold|wave/i;
    const long = scores.filter(({ where, value }) => decimals(value) > (ratio.test(where) ? 4 : 2));
    expect(long).toEqual([]);
  });
});

describe("the label of simulated data", () => {
  it("is a field of every answer with market data, and begins its text", () => {
    for (const answer of completed()) {
      const simulated = carriesPrices(answer.tool);
      expect(answer.data.label, question(answer)).toBe(simulated ? "SAMPLE (simulated)" : undefined);
      if (answer.tool.effect === "read") expect(answer.full.label, question(answer)).toBe(answer.data.label);
      expect(answer.text.startsWith("SAMPLE (simulated) | "), question(answer)).toBe(simulated);
    }
  });
});

describe("a file in an answer", () => {
  it("is beside a text with the facts, without structured content", () => {
    const files = completed().filter(({ content }) => content.some(({ type }) => type !== "text"));
    expect(new Set(files.map(({ tool }) => tool.name))).toEqual(
      new Set(["get_odds", "render_chart", "render_backtest", "run_backtest"]),
    );
    for (const { structured, text, data } of files) {
      expect(structured).toBeUndefined();
      expect(text).toContain(JSON.stringify(data));
    }
    const others = completed().filter((answer) => !files.includes(answer));
    for (const answer of others) expect(answer.structured, question(answer)).toEqual(answer.data);
  });
});

describe("the text of an answer", () => {
  const ids = new RegExp(`\\b(${DRIVERS.map(({ id }) => id).join("|")})\\b`);
  /** Ids are fields of the data; texts, also those within the data, name a driver in words. */
  const textsIn = function* (value: unknown, path = ""): Generator<[path: string, value: string]> {
    if (typeof value === "string") yield [path, value];
    else if (typeof value === "object" && value !== null)
      for (const [name, field] of Object.entries(value)) yield* textsIn(field, `${path}.${name}`);
  };
  const ID_FIELDS = /\.(id|drivers\.\d+|input|field)$/;

  it("names drivers in words", () => {
    for (const answer of completed()) {
      const texts = answer.structured === undefined ? [] : [["text", answer.text] as const];
      for (const [path, text] of [...texts, ...textsIn(answer.data), ...textsIn(answer.full)])
        if (!ID_FIELDS.test(path)) expect(text, `${question(answer)} ${path}`).not.toMatch(ids);
    }
  });

  it("advises nothing that the client of a model cannot do", () => {
    for (const answer of completed())
      for (const [path, text] of [
        ["text", answer.text] as const,
        ...textsIn(answer.data),
        ...textsIn(answer.full),
      ])
        expect(refusedInModelText(text), `${question(answer)} ${path}`).toEqual([]);
  });

  it("names the cursor of the next page and the field that takes it", () => {
    const pages = completed().filter(({ data }) => typeof data.next_cursor === "string");
    expect(new Set(pages.map(({ tool }) => tool.name)).size).toBeGreaterThan(4);
    for (const answer of pages)
      expect(answer.text, question(answer)).toContain(`pass \`cursor\` ${answer.data.next_cursor}`);
  });

  it("is written for a reader: no JSON in place of a text, no missing value", () => {
    // find_tools returns schemas, which are JSON
    const written = completed().filter(
      ({ tool, structured }) => structured !== undefined && tool.name !== "find_tools",
    );
    for (const answer of written) {
      expect(answer.text, question(answer)).not.toMatch(/\{"|\bundefined\b|\bNaN\b|\[object/);
      expect(answer.text.split("\n")[0]!.length, question(answer)).toBeGreaterThan(10);
    }
  });
});

// here, because all answers take long to make
describe("the answers on the command line", () => {
  /** Columns of a narrow terminal. */
  const COLUMNS = 80;
  /** Ids, cursors, keys and addresses, which are never broken. */
  const UNBREAKABLE = /\S{60,}/;

  it("fit into 80 columns, tables without wrapping", () => {
    const paint = painter(testScreen({ columns: COLUMNS }).screen);
    const tooWide = answers.flatMap(({ tool, data, full }) => {
      const answer = Object.keys(full).length > 0 ? full : data;
      const text = tool.terminal?.(answer as never, paint) ?? formatAnswer(answer, paint);
      const lines = wrapLines(text, COLUMNS).split("\n");
      const isTable = /^ *\S+(?: {2,}\S+){3,}$/; // short cells only
      return [
        ...lines.filter((line) => displayWidth(line) > COLUMNS && !UNBREAKABLE.test(line)),
        ...text.split("\n").filter((line) => displayWidth(line) > COLUMNS && isTable.test(line)),
      ].map((line) => `${tool.name}: ${line}`);
    });
    expect(tooWide).toEqual([]);
  });
});
