import { expect, it } from "vitest";
import { ToolError } from "../../src/kernel/errors.ts";
import { failureParts } from "../../src/transports/a2a/answer.ts";
import { formatFailure } from "../../src/transports/result.text.ts";

const NO_RUN = new ToolError("NOT_ENOUGH_DATA", "No nightly run has finished", {
  hint: "The owner of the server can start one.",
  command: "market-signal engine run",
  data: { retry_at: "2026-01-16T00:00:00.000Z" },
});

it("shows a model the hint of an error without its command line", () => {
  expect(formatFailure(NO_RUN)).toBe(
    [
      "NOT_ENOUGH_DATA: No nightly run has finished",
      "The owner of the server can start one.",
      '{"retry_at":"2026-01-16T00:00:00.000Z"}',
      "Next: Report that there is too little history, or request a shorter window.",
    ].join("\n"),
  );
});

it("shows an agent the hint of a failed task without its command line", () => {
  const parts = failureParts(NO_RUN).map(({ content }) => content);
  expect(parts).toEqual([
    { $case: "text", value: formatFailure(NO_RUN) },
    {
      $case: "data",
      value: {
        ok: false,
        code: "NOT_ENOUGH_DATA",
        message: "No nightly run has finished",
        hint: "The owner of the server can start one.",
        retryable: false,
        retry_at: "2026-01-16T00:00:00.000Z",
      },
    },
  ]);
});
