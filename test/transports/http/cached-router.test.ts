import { Hono } from "hono";
import { expect, test } from "vitest";
import { createCachedRouter } from "../../../src/transports/http/cached-router.ts";

const app = new Hono({ router: createCachedRouter() });
app.get("/signals/changes", (c) => c.text("changes"));
app.get("/signals/:symbol", (c) => c.text(`signal of ${c.req.param("symbol")}`));
app.all("/signals/:symbol", (c) => c.text("wrong method", 405));
const read = async (path: string, method = "GET") => {
  const response = await app.request(path, { method });
  return `${response.status} ${await response.text()}`;
};

test.each([
  ["GET", "/signals/changes", "200 changes"],
  ["GET", "/signals/AAPL", "200 signal of AAPL"],
  ["GET", "/signals/MSFT", "200 signal of MSFT"],
  ["GET", "/signals/BTC%2FUSD", "200 signal of BTC/USD"],
  ["POST", "/signals/AAPL", "405 wrong method"],
  ["GET", `/signals/${"A".repeat(300)}`, `200 signal of ${"A".repeat(300)}`],
  ["GET", "/unknown", "404 404 Not Found"],
])("%s %s is answered alike the first and the second time", async (method, path, expected) => {
  expect(await read(path, method)).toBe(expected);
  expect(await read(path, method)).toBe(expected);
});

test("a route added later is found", async () => {
  const later = new Hono({ router: createCachedRouter() });
  later.get("/first", (c) => c.text("first"));
  expect((await later.request("/second")).status).toBe(404);
  later.get("/second", (c) => c.text("second"));
  expect(await (await later.request("/second")).text()).toBe("second");
});

test("routes of many paths are found", async () => {
  for (let i = 0; i < 1_500; i++) expect(await read(`/signals/S${i}`)).toBe(`200 signal of S${i}`);
  expect(await read("/signals/S0")).toBe("200 signal of S0");
});
