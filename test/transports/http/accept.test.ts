import { expect, it } from "vitest";
import { acceptQuality, namesType } from "../../../src/transports/http/accept.ts";

it.each([
  ["application/json", 1],
  ["Application/JSON;charset=utf-8", 1],
  ["application/*;q=0.5", 0.5],
  ["*/*;q=.2", 0.2],
  ["text/html, *; q=.2", 0.2],
  ["text/html, application/json;Q=0.3", 0.3],
  ["application/json;q=0, */*", 0],
  ["application/*;q=0, */*", 0],
  ["*/*;q=0, application/json", 1],
  ["text/html", 0],
  ["application/jsonx", 0],
  ["", 0],
])("takes the quality of JSON in %j from the most specific range", (accept, quality) => {
  expect(acceptQuality(accept, "application/json")).toBe(quality);
});

it("returns whether a header has the type itself", () => {
  expect(namesType("*/*, Text/Event-Stream;q=0", "text/event-stream")).toBe(true);
  expect(namesType("text/*", "text/event-stream")).toBe(false);
});
