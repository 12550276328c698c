import { expect, it } from "vitest";
import { listedToolOf } from "../../src/transports/mcp/connection-tools.ts";
import { deleteAgent } from "../../tools/delete-agent.ts";
import { importPositions } from "../../tools/import-positions.ts";
import { issueReceipt } from "../../tools/issue-receipt.ts";
import { saveWatchlist } from "../../tools/save-watchlist.ts";

it.each([
  [deleteAgent, true],
  [importPositions, true],
  [saveWatchlist, true],
  [issueReceipt, false],
])("a tool that removes or overwrites stored things is annotated so (%#)", (tool, destructiveHint) => {
  expect(listedToolOf(tool).annotations).toMatchObject({ readOnlyHint: false, destructiveHint });
});
