import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { issueReceipt } from "../../../tools/issue-receipt.ts";
import { verifyReceipt } from "../../../tools/verify-receipt.ts";
import { smallMarket } from "../../support/market.ts";
import { receiptPorts } from "../../support/receipts.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { testCli } from "./test-host.ts";

it("verifies a receipt by its id and from a file, and rejects a changed one", async () => {
  const folder = tempDir();
  const ports = { ...smallMarket().ports, ...receiptPorts() };
  const { run } = testCli({ tools: [issueReceipt, verifyReceipt], ports, host: { folder } });
  const { out, code } = await run("receipt", "AAPL", "--json");
  expect(code).toBe(0);
  const { receipt_id } = JSON.parse(out).receipt;
  const verdict = async (...words: readonly string[]) => {
    const { out } = await run("verify-receipt", ...words);
    return out.split("\n").slice(0, 3);
  };
  const valid = [
    "SAMPLE (simulated)",
    `VALID  ${receipt_id}`,
    "  signature valid  inputs intact  result equal",
  ];
  expect(await verdict(receipt_id)).toEqual(valid);
  writeFileSync(join(folder, "receipt.json"), out);
  expect(await verdict("--receipt", "@receipt.json")).toEqual(valid);
  writeFileSync(join(folder, "forged.json"), out.replace('"stop_loss": 135.87', '"stop_loss": 134.87'));
  expect(await verdict("--receipt", "@forged.json")).toEqual([
    "SAMPLE (simulated)",
    `NOT VALID  ${receipt_id}`,
    "  signature invalid  inputs intact  result different",
  ]);
});
