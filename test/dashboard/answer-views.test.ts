import { expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { drawnOf, VIEW_OF } from "../../src/dashboard/app/answer-views.ts";

const result = (
  skill: string,
  data: Record<string, unknown> | null,
  figures: Record<string, unknown> = {},
) => ({
  symbol: data === null ? null : "AAPL",
  skill,
  figures,
  data,
  error: null,
});

it("draws the answer of every tool that has a view with that view", () => {
  const views = Object.values(catalogue).flatMap(({ name, view }) =>
    view === undefined ? [] : [[name, view.name]],
  );
  expect(VIEW_OF).toEqual(Object.fromEntries(views));
});

it("leaves results without a view or data to the words", () => {
  const data = { symbol: "AAPL" };
  const [signal, odds, news] = ["get_signal", "get_odds", "get_news"].map((skill) => result(skill, data));
  const drawn = { name: "get_odds AAPL", view: "odds", output: data };
  expect(drawnOf([signal!, odds!, news!])).toEqual({ drawn: [drawn], isAll: false });
  expect(drawnOf([signal!, news!])).toEqual({ drawn: [], isAll: false });
  expect(drawnOf([result("get_signal", null)])).toEqual({ drawn: [], isAll: false });
});

it("draws the signal of a symbol only if nothing else was asked", () => {
  const data = { symbol: "AAPL" };
  const [signal, odds] = ["get_signal", "get_odds"].map((skill) => result(skill, data));
  expect(drawnOf([signal!])).toMatchObject({ drawn: [{ view: "signal" }], isAll: true });
  expect(drawnOf([signal!, odds!])).toMatchObject({ drawn: [{ view: "odds" }], isAll: true });
});

it("draws at most two results", () => {
  const signals = ["AAPL", "MSFT", "NVDA"].map((symbol) => ({ ...result("get_signal", { symbol }), symbol }));
  expect(drawnOf(signals.slice(0, 2))).toMatchObject({ drawn: [{}, {}], isAll: true });
  expect(drawnOf(signals)).toEqual({ drawn: [], isAll: false });
});

it("draws of a list only the rows that the answer selects, in its order", () => {
  const rows = ["AAPL", "MSFT", "NVDA"].map((symbol) => ({ symbol }));
  const lines = [{ symbol: "NVDA" }, { symbol: "AAPL" }];
  const { drawn } = drawnOf([result("screen_universe", { total: 3, results: rows }, { lines })]);
  expect(drawn[0]?.output).toEqual({ total: 3, results: [{ symbol: "NVDA" }, { symbol: "AAPL" }] });
});
