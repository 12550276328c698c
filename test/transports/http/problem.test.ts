import { expect, it } from "vitest";
import { ToolError } from "../../../src/kernel/errors.ts";
import { PROBLEMS, problemBody } from "../../../src/transports/http/problem.ts";

it("has the documented status for every code", () => {
  const statuses = Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(statuses)).toEqual({
    INVALID_INPUT: 400,
    UNAUTHENTICATED: 401,
    PLAN_REQUIRED: 403,
    SCOPE_REQUIRED: 403,
    FORBIDDEN: 403,
    NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    CONFLICT: 409,
    BODY_TOO_LARGE: 413,
    UNKNOWN_SYMBOL: 422,
    NO_PRICE: 422,
    NOT_ENOUGH_DATA: 422,
    REFUSED: 422,
    RATE_LIMITED: 429,
    CANCELLED: 499,
    INTERNAL: 500,
    UPSTREAM_UNAVAILABLE: 503,
    NOT_CONNECTED: 503,
    DEADLINE: 504,
    STORAGE_FULL: 507,
    STORAGE_BUSY: 503,
    STORAGE_DAMAGED: 500,
  });
});

it("adds data members, which cannot override the reserved ones", () => {
  const error = new ToolError("NO_PRICE", "No price for ZZZZ", {
    hint: "Check the symbol.",
    data: { symbol: "ZZZZ", price: null, data: { price: null }, ok: true, status: 200, hint: "forged" },
  });
  expect(problemBody(error, "/api/v1/quote/ZZZZ", "id")).toEqual({
    type: "/docs#NO_PRICE",
    title: "There is no price for this symbol",
    status: 422,
    detail: "No price for ZZZZ",
    instance: "/api/v1/quote/ZZZZ",
    ok: false,
    code: "NO_PRICE",
    request_id: "id",
    retryable: false,
    hint: "Check the symbol.",
    symbol: "ZZZZ",
    price: null,
    data: { price: null },
  });
});

it("joins the hint and the command line", () => {
  const error = new ToolError("NOT_CONNECTED", "x", {
    hint: "Ask the owner.",
    command: "market-signal config",
  });
  expect(problemBody(error, "/", "id")).toMatchObject({
    hint: "Ask the owner. On the server: `market-signal config`.",
  });
  expect(problemBody(error, "/", "id")).not.toHaveProperty("command");
});

it("omits a missing hint", () => {
  expect(problemBody(new ToolError("INTERNAL", "x"), "/", "id")).not.toHaveProperty("hint");
});
