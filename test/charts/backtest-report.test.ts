import { describe, expect, it } from "vitest";
import { reportHtml } from "../../src/charts/backtest-report.ts";
import type { BacktestResult } from "../../src/domain/backtest/backtest.ts";
import { runResult } from "./run-result.ts";

const pageOf = (over: Partial<BacktestResult> = {}) => reportHtml(runResult(over), "Follows two averages");
const rowsOf = (html: string, heading: string) =>
  [...(html.split(`<h2>${heading}</h2>`)[1] ?? "").split("<h2>")[0]!.matchAll(/<tr>(.*?)<\/tr>/g)].map(
    ([, row]) => [...row!.matchAll(/<t[dh][^>]*>(?:<b>)?([^<]*)/g)].map(([, text]) => text),
  );

describe("the backtest report", () => {
  it("shows every metric with its meaning, and a reason if it is undefined", () => {
    const rows = rowsOf(pageOf(), "Figures");
    expect(rows).toHaveLength(34);
    expect(rows[0]).toEqual(["Figure", "Value", "What it means"]);
    expect(rows[3]).toEqual(["Return", "20.00%", "Total return in percent of the starting cash"]);
    expect(rows.find(([name]) => name === "System quality")).toEqual([
      "System quality",
      "n/a",
      "System quality number: square root of n times mean over standard deviation of trade profits. Not defined: one trade",
    ]);
    expect(rows.at(-1)).toEqual([
      "Deflated Sharpe",
      "n/a",
      "Probability that the Sharpe ratio exceeds the best expected by chance; combinations tried: 4. Not defined: few days",
    ]);
    const chance = { value: 1, at_least: 1, share: 0.1, mean: 0 };
    const shuffled = pageOf({ null_run: { draws: 19, sharpe_arithmetic: chance, return_pct: chance } });
    expect(rowsOf(shuffled, "Figures").at(-1)![1]).toBe("0.10");
  });

  it.each([
    [true, "fractional"],
    [false, "whole"],
    [null, "fractional for crypto, whole otherwise"],
  ])("describes the units of an account with fractional %s as %s", (fractional, text) => {
    const page = pageOf({ account: { ...runResult({}).account, fractional } });
    expect(page).toContain(`<dt>Units</dt><dd>${text}</dd>`);
  });

  it("shows costs, years and halves, and which of them are missing", () => {
    const html = pageOf();
    const figures = ["+20.00%", "-5.00%", "0.50", "-27.27%", "2"];
    expect(rowsOf(html, "Multiples of the trading costs").slice(1)).toEqual([
      ["1x", "+20.00%", "n/a", "0.50", "-27.27%", "2"],
      ["2x", "+20.00%", "n/a", "n/a", "-27.27%", "2"],
    ]);
    expect(rowsOf(html, "Each year")[1]).toEqual(["2026", ...figures]);
    expect(html).toContain('<h2>First and second half</h2><p class="quiet">n/a: the run is too short</p>');
    expect(pageOf({ months: [] })).toContain('month</h2>\n<p class="quiet">n/a: the run is too short</p>');
  });

  it("shows a sweep and what each fold chose, if requested", () => {
    const outcome = { return_pct: 5, max_drawdown: -2, sharpe_arithmetic: 1, trade_count: 3 };
    const fold = { from: "2026-01-05", to: "2026-01-07", in_sample_sharpe: 1 };
    const html = pageOf({
      sweep: {
        trials: 2,
        left_out: 0,
        best: [{ ...outcome, params: { fast: 5, slow: 20 } }],
        walk_forward: {
          folds: [
            { ...fold, params: null, out_of_sample: { return_pct: 1, sharpe_arithmetic: 2, trade_count: 4 } },
            { ...fold, params: { fast: 5 }, out_of_sample: null },
          ],
          out_of_sample: null,
          folds_left_out: 0,
          ratio: null,
          reason: null,
        },
      },
    });
    expect(rowsOf(html, "Best of the sweep").slice(1)).toEqual([
      ["fast 5, slow 20", "+5.00%", "n/a", "1.00", "-2.00%", "3"],
    ]);
    expect(rowsOf(html, "Walk-forward: parameters chosen on past data only").slice(1)).toEqual([
      ["2026-01-05 to 2026-01-07: no parameters chosen", "+1.00%", "n/a", "2.00", "n/a", "4"],
    ]);
    expect(pageOf()).not.toContain("Best of the sweep");
  });

  it("shows the interval of a metric, and a reason if it is missing", () => {
    const html = pageOf();
    const method = ["95%", "1,000 bootstrap resamples of blocks of days"];
    expect(rowsOf(html, "Confidence intervals").slice(1, 3)).toEqual([
      ["Annual return", "-3.00%", "41.00%", ...method],
      ["Sharpe, arithmetic", "n/a", "n/a", ...method],
    ]);
    expect(html).toContain("n/a: Sharpe, arithmetic: too few days; Mean daily return: too few days.");
  });

  it("lists trades, limited to the last 500", () => {
    const html = pageOf();
    expect(html).toContain("All closed trades. Profit in USD and return after costs.");
    const [trade] = runResult().trades;
    const row = "AAPL|LONG|2026-01-06|100.00|2026-01-09 14:30 UTC|140.00|10|+398.50|+39.85%|target";
    expect(rowsOf(html, "Trades")[1]).toEqual(row.split("|"));
    const many = pageOf({ trades: Array.from({ length: 1_234 }, (_, i) => ({ ...trade!, units: i + 1 })) });
    expect(many).toContain("The last 500 of 1,234 closed trades");
    const units = rowsOf(many, "Trades")
      .slice(1)
      .map((row) => row[6]);
    expect([units.length, units[0], units.at(-1)]).toEqual([500, "735", "1,234"]);
    expect(pageOf({ trades: [] })).toContain("n/a: no trade was closed");
  });

  it("shows warnings above everything else, first of all that prices are simulated", () => {
    const html = pageOf({ market: "sample" });
    const at = (text: string) => html.indexOf(text);
    expect(at("SAMPLE (simulated): all prices of this run are simulated")).toBeGreaterThan(0);
    expect(at("SAMPLE (simulated)")).toBeLessThan(at("<h1>"));
    expect(at("<li>Few trades</li>")).toBeLessThan(at("<figure"));
    expect(pageOf({ warnings: [] })).not.toMatch(/SAMPLE|<li>/);
    expect(pageOf({ warnings: [], notes: ["A note"] })).toContain("<li>A note</li>");
  });

  it("shows the chart with alternative text", () => {
    expect(pageOf()).toMatch(
      /<figure class="wide" role="img" aria-label="Equity of AAPL 1d: sma_cross, fast 10: [^"]*"><svg .*<\/svg><\/figure>/,
    );
  });

  it("shows settings and rules as entered, line by line", () => {
    expect(pageOf()).toContain(
      "<div><dt>fast</dt><dd>10</dd></div><div><dt>Cash</dt><dd>1000 USD</dd></div>",
    );
    expect(pageOf({ rules: { entry: {}, stop: "a < b" } })).toContain(
      "<pre>{\n &quot;entry&quot;: {},\n &quot;stop&quot;: &quot;a &lt; b&quot;\n}</pre>",
    );
  });

  it("escapes untrusted text in every field", () => {
    const evil = `<script>alert(1)</script><img src="x" onerror='y'>&` as never;
    const run = runResult();
    const row = { ...run.years[0]!, part: evil };
    const html = reportHtml(
      {
        ...run,
        symbols: [evil],
        timeframe: evil,
        strategy: evil,
        params: { [evil]: evil },
        rules: { entry: {}, stop: evil },
        source: evil,
        venue: evil,
        market: evil,
        warnings: [evil],
        notes: [evil],
        undefined_metrics: [{ metric: "sqn", reason: evil }],
        years: [row],
        costs: [row],
        look_ahead: { found: false, detail: evil },
        intervals: {
          annual_return_pct: { value: null, low: null, high: null, reason: evil },
          sharpe_arithmetic: { value: null, low: null, high: null, reason: evil },
          mean_daily_return_pct: { value: null, low: null, high: null, reason: evil },
        },
        deflated_sharpe: { probabilistic: null, deflated: null, trials: 4, reason: evil },
        trades: [{ ...run.trades[0]!, symbol: evil, exit_reason: evil, side: evil }],
      },
      evil,
    );
    const tags = new Set([...html.matchAll(/<([a-zA-Z!][\w!]*)/g)].map(([, tag]) => tag!.toLowerCase()));
    expect(
      [...tags].filter((tag) => ["script", "img", "iframe", "link", "a", "object"].includes(tag)),
    ).toEqual([]);
    // Quoted attribute values are text.
    expect([...html.replace(/"[^"]*"/g, "").matchAll(/<[^>]*\son\w+=/g)]).toEqual([]);
    expect(html.match(/&lt;script&gt;/g)!.length).toBeGreaterThan(20);
  });

  it("makes no requests", () => {
    const html = pageOf().replace('xmlns="http://www.w3.org/2000/svg"', "");
    expect(html).not.toMatch(/https?:|url\(|@import|src=|href=|<script/);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it("lists eight symbols and counts the others", () => {
    const symbols = Array.from({ length: 10 }, (_, i) => `S${i}`);
    expect(pageOf({ symbols })).toContain("<h1>S0, S1, S2, S3, S4, S5, S6, S7 and 2 more ");
  });
});
