import { expect, it } from "vitest";
import { z } from "zod";
import { checkFollowable, fieldsIn, variablesOf } from "../../src/kernel/followable.ts";
import { createRegistry } from "../../src/kernel/registry.ts";
import { changesTool, stateTool } from "../support/changes.ts";

const signal = { template: "signal://{symbol}/{timeframe}" };

it("reads the parameter names of a template in order", () => {
  expect(variablesOf(signal)).toEqual(["symbol", "timeframe"]);
  expect(variablesOf({ template: "quota://me" })).toEqual([]);
});

it.each([
  ["signal://AAPL/1d", { symbol: "AAPL", timeframe: "1d" }],
  ["signal://BTC-USD/4h", { symbol: "BTC-USD", timeframe: "4h" }],
  ["signal://BTC%2FUSD/4h", { symbol: "BTC/USD", timeframe: "4h" }],
  ["signal://BTC/USD/4h", { symbol: "BTC/USD", timeframe: "4h" }],
  ["signal://AAPL/", null],
  ["signal:///1d", null],
  ["signal://AAPL", null],
  ["signal://AAPL/1d?x=1", null],
  ["xsignal://AAPL/1d", null],
  ["signal://%FF/1d", null],
])("reads %s", (uri, fields) => {
  expect(fieldsIn(signal, uri)).toEqual(fields);
});

it("matches special characters of a template literally", () => {
  expect(fieldsIn({ template: "a.b://{x}" }, "a.b://1")).toEqual({ x: "1" });
  expect(fieldsIn({ template: "a.b://{x}" }, "acb://1")).toBeNull();
});

const described = { title: "T", description: "D" };
const stream = (route: string) => ({ stream: { ...described, route } });
const resource = (template: string) => ({ ...described, template });
it.each([
  ["is not a read", { ...stateTool, effect: "write" as const }],
  ["without an address", { ...stateTool, resource: resource("{symbol}") }],
  ["{day} is not a field of input", { ...stateTool, resource: resource("signal://{symbol}/{day}") }],
  ["names a field twice", { ...stateTool, resource: resource("signal://{symbol}/{symbol}") }],
  ['leaves out "symbol"', { ...stateTool, resource: resource("signal://{timeframe}") }],
  ["has a resource but returns a file", { ...stateTool, output: z.object({ media: z.object({}) }) }],
  ["not a GET of a plain path", { ...changesTool(), http: stream("POST /api/v1/state-changes/stream") }],
  ["not a GET of a plain path", { ...changesTool(), http: stream("GET /api/v1/state-changes/:symbol") }],
  ['no "after" input', { ...changesTool(), input: z.object({}) }],
  [
    'no "quotes" output',
    {
      ...changesTool(),
      http: { stream: { ...stream("GET /api/v1/state-changes/stream").stream, of: "quotes" as const } },
    },
  ],
  ['no "cursor" output', { ...changesTool(), output: z.object({ changes: z.array(z.string()) }) }],
])("refuses a definition that %s", (why, tool) => {
  expect(() => checkFollowable(tool)).toThrow(why);
  expect(() => createRegistry({ tool }, {})).toThrow(why);
});

it("rejects two tools with the same resource address or route", () => {
  const other = { ...stateTool, name: "tell_other", route: "GET /api/v1/other" };
  const renamed = { ...other, resource: resource("signal://{timeframe}/{symbol}") };
  expect(() => createRegistry({ tellState: stateTool, renamed }, {})).toThrow("share the address");
  const { resource: _, ...onPath } = { ...other, route: "GET /api/v1/state-changes/stream" };
  expect(() => createRegistry({ received: changesTool(), onPath }, {})).toThrow(
    'share the route "GET /api/v1/state-changes/stream"',
  );
});
