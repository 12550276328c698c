import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { checkOrder } from "../../tools/check-order.ts";
import { issueReceipt } from "../../tools/issue-receipt.ts";
import { verifyReceipt } from "../../tools/verify-receipt.ts";
import { ORDER, SNAPSHOT } from "../support/check-receipts.ts";
import { useInstallation } from "../support/installation.ts";
import { tempDir } from "../support/temp-dir.ts";
import { openTransportClients, type TransportClient } from "../support/transport-clients.ts";

const page = await readFile("docs/receipts.md", "utf8");
const [, source = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
/** Runs the lines of the page in a process outside of the project, with a receipt and a JWK set. */
async function verifyOutside(receipt: object, keys: string): Promise<string> {
  const file = join(tempDir(), "verify.mjs");
  await writeFile(file, source);
  const given = [JSON.stringify(receipt), keys];
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...given]);
  return stdout.trim();
}

const server = useInstallation("sample");
const publishedKeys = async () => (await fetch(`${server.url}/.well-known/jwks.json`)).text();

describe("the verification on the page of receipts", () => {
  it("imports only node:crypto, in six lines", () => {
    expect([...source.matchAll(/\bfrom "([^"]+)"/g)].map(([, name]) => name)).toEqual(["node:crypto"]);
    expect(source.trim().split("\n").length).toBe(6);
  });

  it("verifies receipts made over each transport by the published key alone", async () => {
    const clients = await openTransportClients(server);
    const call = async (client: TransportClient, ...given: Parameters<TransportClient["call"]>) => {
      const answer = await client.call(...given);
      expect(answer, client.name).toHaveProperty("data");
      return "data" in answer ? (answer.data as Readonly<Record<string, any>>) : {};
    };
    try {
      const keys: string[] = [];
      for (const [at, client] of clients.entries()) {
        const input = { ...ORDER, ...SNAPSHOT, receipt: true, detail: "concise" };
        const answer = await call(client, checkOrder, input);
        const { receipt } = answer;
        keys.push(await publishedKeys());
        expect(await verifyOutside(receipt, keys[at]!), client.name).toBe("true");
        const altered = { ...receipt, order: { ...receipt.order, quantity: "13" } };
        expect(await verifyOutside(altered, keys[at]!), client.name).toBe("false");
        // and on the server over the next transport, by another account
        const next = clients[(at + 1) % clients.length]!;
        expect(await call(next, verifyReceipt, { receipt: answer, snapshot: SNAPSHOT })).toMatchObject({
          valid: true,
          signature: "valid",
          equal: true,
        });
      }
      expect(new Set(keys).size, "one key").toBe(1);
      const signal = await call(clients[0]!, issueReceipt, { symbol: "AAPL" });
      expect(await verifyOutside(signal.receipt, keys[0]!)).toBe("true");
    } finally {
      await Promise.all(clients.map((client) => client.close()));
    }
  }, 120_000);
});
