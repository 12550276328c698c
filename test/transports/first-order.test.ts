import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tool } from "../../src/kernel/tool.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { getRiskLimits } from "../../tools/get-risk-limits.ts";
import { getTradeJournal } from "../../tools/get-trade-journal.ts";
import { listConnections } from "../../tools/list-connections.ts";
import { listPositions } from "../../tools/list-positions.ts";
import { previewTrade } from "../../tools/preview-trade.ts";
import { useInstallation } from "../support/installation.ts";
import { openTransportClients, type TransportClient } from "../support/transport-clients.ts";

const installation = useInstallation("sample", { PAPER_EQUITY: "25000" });
let clients: readonly TransportClient[] = [];
beforeAll(async () => {
  clients = await openTransportClients(installation);
}, 60_000);
afterAll(async () => {
  for (const client of clients) await client.close();
});

/** Shapes of the answers that this test reads. */
interface Answers {
  readonly connections: readonly { readonly connection_id: string; readonly connected_at: string | null }[];
  readonly positions: readonly {
    readonly symbol: string;
    readonly quantity: string;
    readonly as_of: string;
  }[];
  readonly trades: readonly { readonly symbol: string; readonly open_quantity: string }[];
  readonly account: { readonly equity: string; readonly held: string };
  readonly ticket_id: string;
  readonly as_of: string;
  readonly complete: boolean;
  readonly empty_reason: string | null;
  readonly in_words: readonly { readonly limit: string; readonly used: string | null }[];
}
const usedOf = ({ in_words }: Answers) =>
  Object.fromEntries(in_words.map(({ limit, used }) => [limit, used]));

describe("the first paper order", () => {
  it("takes two calls, after which positions, journal and risk checks agree, over every transport", async () => {
    const names = clients.map(({ name }) => name);
    for (const name of ["REST", "MCP 2026-07-28", "command line", "A2A 1.0 JSON-RPC"])
      expect(names).toContain(name);
    const seen = new Set<string>();
    for (const client of clients) {
      const call = async (tool: Tool, input: object = {}) => {
        const answer = await client.call(tool, input as Readonly<Record<string, unknown>>);
        if ("code" in answer) throw new Error(`${client.name}: ${tool.name} ${answer.code}`);
        return answer.data as unknown as Answers;
      };
      // stdio and the command line share the owner's account
      if (seen.has(client.principal.account)) continue;
      seen.add(client.principal.account);
      const [builtIn] = (await call(listConnections)).connections;
      expect(builtIn).toMatchObject({ broker: "paper", account_type: "paper", connected_at: null });
      const before = await call(listPositions);
      expect(before).toMatchObject({
        positions: [],
        complete: true,
        empty_reason: "Nothing is held: every account was read",
        synced: [{ connection_id: builtIn!.connection_id, synced_at: before.as_of, reason: null }],
      });

      expect(usedOf(await call(getRiskLimits))).toMatchObject({
        max_orders_a_minute: "0",
        max_open_risk_pct: "0",
      });
      const preview = await call(previewTrade, { symbol: "BTC-USD", side: "buy", quantity: "0.01" });
      expect(preview.account).toMatchObject({ equity: "25000", held: "0" });
      await call(executeTrade, { ticket_id: preview.ticket_id });

      const after = await call(listPositions);
      expect(after.positions).toMatchObject([
        { symbol: "BTC-USD", quantity: "0.01", connection_id: builtIn!.connection_id, as_of: after.as_of },
      ]);
      expect(after).toMatchObject({ complete: true, empty_reason: null });
      expect(after.as_of > before.as_of).toBe(true);
      expect((await call(getTradeJournal)).trades).toMatchObject([
        { symbol: "BTC-USD", open_quantity: "0.01" },
      ]);
      const used = usedOf(await call(getRiskLimits));
      expect(used).toMatchObject({ max_orders_a_minute: "1" });
      expect(Number(used.max_open_risk_pct)).toBeGreaterThan(0);
      const next = await call(previewTrade, { symbol: "BTC-USD", side: "buy", quantity: "0.01" });
      expect(next.account.held).toBe("0.01");
      const [stored] = (await call(listConnections)).connections;
      expect(stored).toMatchObject({
        connection_id: builtIn!.connection_id,
        connected_at: expect.any(String),
      });
    }
    expect(seen.size).toBeGreaterThanOrEqual(7);
  }, 120_000);
});
