import { describe, expect, it } from "vitest";
import { MarketSignalError } from "../../src/client/client.ts";
import { errorOf, parsedObject } from "../../src/client/error.ts";

describe("the error of a response", () => {
  it("has the members of the problem document", async () => {
    const problem = {
      title: "Too many requests",
      detail: "The daily quota is used up",
      code: "RATE_LIMITED",
      hint: "Wait.",
      retryable: true,
      request_id: "r1",
      errors: [{ pointer: "/symbol", detail: "Required" }],
      quota: 100,
    };
    const response = new Response(JSON.stringify(problem), { status: 429, headers: { "retry-after": "60" } });
    const error = await errorOf(response);
    expect(error).toBeInstanceOf(MarketSignalError);
    expect(error).toMatchObject({
      name: "MarketSignalError",
      message: "The daily quota is used up",
      code: "RATE_LIMITED",
      status: 429,
      hint: "Wait.",
      retryable: true,
      request_id: "r1",
      retry_after: 60,
      errors: problem.errors,
      data: { quota: 100 },
    });
  });

  it.each([
    [502, "<html>Bad gateway</html>", true],
    [404, '{"message":"not here"}', false],
    [403, "[]", false],
  ])("says that a %s without a problem document is not of the server", async (status, body, retryable) => {
    const error = await errorOf(new Response(body, { status }));
    expect(error).toMatchObject({ code: "INVALID_RESPONSE", status, retryable, request_id: null, data: {} });
  });
});

it("reads JSON objects only", () => {
  expect(['{"a":1}', "[1]", "1", "null", "{"].map(parsedObject)).toEqual([{ a: 1 }, null, null, null, null]);
});
