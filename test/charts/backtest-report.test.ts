import { describe, expect, it } from "vitest";
import { type BacktestReport, type ReportTrade, reportHtml } from "../../src/charts/backtest-report.ts";
import { runPicture } from "./run-picture.ts";

const slice = (name: string, over = {}) => ({
  name,
  return_pct: 20,
  buy_hold_return_pct: -5,
  sharpe_ratio: 0.5,
  max_drawdown: -27.27,
  trade_count: 2,
  reason: null,
  ...over,
});
const trade: ReportTrade = {
  symbol: "AAPL",
  side: "LONG",
  units: 10,
  entryTime: Date.UTC(2026, 0, 6),
  exitTime: Date.UTC(2026, 0, 9, 14, 30),
  entryPrice: 100,
  exitPrice: 140,
  profit: 398.5,
  return: 0.3985,
  reason: "target",
};
const report = (over: Partial<BacktestReport> = {}): BacktestReport => ({
  symbols: ["AAPL"],
  timeframe: "1d",
  strategy: "sma_cross",
  explains: "Long while the fast average lies above the slow one",
  params: [{ name: "fast", value: 10 }],
  rules: null,
  terms: [{ name: "Cash", value: "1,000.00 USD" }],
  from: "2026-01-05T00:00:00.000Z",
  until: "2026-01-10T00:00:00.000Z",
  madeAt: "2026-01-15T15:00:00.000Z",
  source: "fixture",
  market: "live",
  simulated: null,
  equityChart: runPicture(),
  warnings: ["Few trades"],
  metrics: [
    { name: "Return", value: 20, unit: "percent", explains: "Of the cash begun with", reason: null },
    { name: "SQN", value: null, unit: "ratio", explains: "Quality of the system", reason: "one trade" },
  ],
  months: { rows: [{ year: 2026, month: 1, percent: 20 }], reason: null },
  years: { rows: [slice("2026")], reason: null },
  costs: {
    rows: [slice("1x"), slice("2x"), slice("3x", { sharpe_ratio: null, reason: "ruin" })],
    reason: null,
  },
  halves: { rows: [], reason: "fewer than 40 bars" },
  intervals: {
    rows: [
      {
        name: "Annual return",
        low: -3,
        high: 41,
        unit: "percent",
        level: 95,
        method: "bootstrap of daily returns",
        reason: null,
      },
    ],
    reason: null,
  },
  sweep: { rows: [], reason: "no sweep was requested" },
  folds: { rows: [], reason: "no folds were requested" },
  trades: [trade],
  ...over,
});
const EVIL = `<script>alert(1)</script><img src="x" onerror='y'>&`;
const rowsOf = (html: string, heading: string) =>
  [...(html.split(`<h2>${heading}</h2>`)[1] ?? "").split("<h2>")[0]!.matchAll(/<tr>(.*?)<\/tr>/g)].map(
    ([, row]) => [...row!.matchAll(/<t[dh][^>]*>(?:<b>)?([^<]*)/g)].map(([, text]) => text),
  );

describe("the report of a backtest", () => {
  it("shows every figure with its meaning, and why one is undefined", () => {
    const html = reportHtml(report());
    expect(rowsOf(html, "Figures")).toEqual([
      ["Figure", "Value", "What it means"],
      ["Return", "20.00%", "Of the cash begun with"],
      ["SQN", "n/a", "Quality of the system. Not defined: one trade"],
    ]);
  });

  it("shows costs, years and halves, and which of them are missing", () => {
    const html = reportHtml(report());
    const figures = ["+20.00%", "-5.00%", "0.50", "-27.27%", "2"];
    expect(rowsOf(html, "If trading cost more").slice(1)).toEqual([
      ["1x", ...figures],
      ["2x", ...figures],
      ["3x", "+20.00%", "-5.00%", "n/a", "-27.27%", "2"],
    ]);
    expect(html).toContain("n/a: 3x: ruin.");
    expect(rowsOf(html, "Each year")[1]).toEqual(["2026", ...figures]);
    expect(html).toContain('<h2>First and second half</h2><p class="quiet">n/a: fewer than 40 bars</p>');
  });

  it("shows the interval of a figure", () => {
    expect(rowsOf(reportHtml(report()), "How sure the figures are")[1]).toEqual([
      "Annual return",
      "-3.00%",
      "41.00%",
      "95%",
      "bootstrap of daily returns",
    ]);
  });

  it("lists trades, the last 500 of them", () => {
    const html = reportHtml(report());
    expect(html).toContain("All closed trades. Profit in USD and return after costs.");
    expect(rowsOf(html, "Trades")[1]).toEqual([
      "AAPL",
      "LONG",
      "2026-01-06",
      "100.00",
      "2026-01-09 14:30 UTC",
      "140.00",
      "10",
      "+398.50",
      "+39.85%",
      "target",
    ]);
    const many = reportHtml(
      report({ trades: Array.from({ length: 1_234 }, (_, i) => ({ ...trade, units: i + 1 })) }),
    );
    expect(many).toContain("The last 500 of 1,234 closed trades");
    const units = rowsOf(many, "Trades")
      .slice(1)
      .map((row) => row[6]);
    expect([units.length, units[0], units.at(-1)]).toEqual([500, "735", "1,234"]);
    expect(reportHtml(report({ trades: [] }))).toContain("n/a: no trade was closed");
  });

  it("warns above everything else, and over made-up prices first of all", () => {
    const html = reportHtml(report({ simulated: "SAMPLE (simulated)" }));
    const at = (text: string) => html.indexOf(text);
    expect(at("SAMPLE (simulated): every price of this run is made up")).toBeGreaterThan(0);
    expect(at("SAMPLE (simulated)")).toBeLessThan(at("<h1>"));
    expect(at("<li>Few trades</li>")).toBeLessThan(at("<figure"));
    expect(reportHtml(report({ warnings: [] }))).not.toMatch(/SAMPLE|<li>/);
  });

  it("shows the picture, with words for those who do not see it", () => {
    expect(reportHtml(report())).toMatch(
      /<figure class="wide" role="img" aria-label="Equity of AAPL 1d sma_cross: [^"]*"><svg .*<\/svg><\/figure>/,
    );
  });

  it("shows rules as they were written, line by line", () => {
    expect(reportHtml(report({ rules: '{\n  "enter": "a < b"\n}' }))).toContain(
      "<pre>{\n  &quot;enter&quot;: &quot;a &lt; b&quot;\n}</pre>",
    );
  });

  it("escapes any text in any place", () => {
    const row = slice(EVIL, { reason: EVIL });
    const html = reportHtml(
      report({
        symbols: [EVIL],
        timeframe: EVIL,
        strategy: EVIL,
        explains: EVIL,
        params: [{ name: EVIL, value: EVIL }],
        rules: EVIL,
        terms: [{ name: EVIL, value: EVIL }],
        source: EVIL,
        market: EVIL,
        simulated: EVIL,
        equityChart: runPicture({
          title: EVIL,
          source: EVIL,
          currency: EVIL,
          summary: EVIL,
          simulated: EVIL,
        }),
        warnings: [EVIL],
        metrics: [{ name: EVIL, value: null, unit: "ratio", explains: EVIL, reason: EVIL }],
        months: { rows: [], reason: EVIL },
        years: { rows: [row], reason: null },
        costs: { rows: [row], reason: null },
        halves: { rows: [], reason: EVIL },
        intervals: {
          rows: [{ name: EVIL, low: null, high: null, unit: "ratio", level: 95, method: EVIL, reason: EVIL }],
          reason: null,
        },
        trades: [{ ...trade, symbol: EVIL, reason: EVIL as never, side: EVIL as never }],
      }),
    );
    const tags = new Set([...html.matchAll(/<([a-zA-Z!][\w!]*)/g)].map(([, tag]) => tag!.toLowerCase()));
    expect(
      [...tags].filter((tag) => ["script", "img", "iframe", "link", "a", "object"].includes(tag)),
    ).toEqual([]);
    // quoted parts are text
    expect([...html.replace(/"[^"]*"/g, "").matchAll(/<[^>]*\son\w+=/g)]).toEqual([]);
    expect(html.match(/&lt;script&gt;/g)!.length).toBeGreaterThan(20);
  });

  it("makes no requests", () => {
    const html = reportHtml(report({ rules: "x" })).replace('xmlns="http://www.w3.org/2000/svg"', "");
    expect(html).not.toMatch(/https?:|url\(|@import|src=|href=|<script/);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it("names eight symbols and counts the others", () => {
    const symbols = Array.from({ length: 10 }, (_, i) => `S${i}`);
    expect(reportHtml(report({ symbols }))).toContain("<h1>S0, S1, S2, S3, S4, S5, S6, S7 and 2 more ");
  });

  it("is the same page for the same run", () => {
    expect(reportHtml(report())).toBe(reportHtml(report()));
  });
});
