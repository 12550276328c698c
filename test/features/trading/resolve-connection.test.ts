import { describe, expect, it } from "vitest";
import type { Connection } from "../../../src/domain/trading/trading.ts";
import { resolveConnection } from "../../../src/features/trading/resolve-connection.ts";

const one = (digit: string, account_mask: string): Connection => ({
  connection_id: `cn_${digit.repeat(20)}`,
  broker: "paper",
  account_type: "paper",
  account_mask,
  market: "test",
  connected_at: "2026-01-15T14:00:00.000Z",
  checked_at: "2026-01-15T14:00:00.000Z",
});

describe("the default connection", () => {
  it("is ambiguous with several connections, and lists them", async () => {
    const connections = { list: async () => [one("1", "4242"), one("2", "A1B2")] };
    await expect(
      resolveConnection({ connections, brokers: {} } as never, "ada", undefined),
    ).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "Several brokers are connected: connection_id is required",
      hint: `Pass connection_id, one of: cn_${"1".repeat(20)} (paper, paper, account ...4242), cn_${"2".repeat(20)} (paper, paper, account ...A1B2).`,
    });
  });
});
