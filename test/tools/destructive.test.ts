import { expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { listedToolOf } from "../../src/transports/mcp/connection-tools.ts";

/** Tools that write and only add records. */
const ADDITIVE = [
  "create_subscription",
  "issue_receipt",
  "preview_trade",
  "propose_trade",
  "record_claim",
  "request_limits",
  "route_request",
  "run_task",
  "withdraw_claim",
  "write_journal_note",
];

it("every tool that writes is annotated as destructive, unless it only adds records", () => {
  const tools: readonly Tool[] = Object.values(catalogue);
  const annotationsOf = (tool: Tool) => listedToolOf(tool).annotations;
  const additive = tools.filter(
    (tool) => annotationsOf(tool)?.readOnlyHint === false && annotationsOf(tool)?.destructiveHint !== true,
  );
  expect(additive.map(({ name }) => name).sort()).toEqual(ADDITIVE);
});
