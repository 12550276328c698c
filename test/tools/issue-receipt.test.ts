import { describe, expect, it } from "vitest";
import { DriverRow, Signal } from "../../src/domain/signal/signal.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { issueReceipt } from "../../tools/issue-receipt.ts";
import { NOW, pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { receiptPorts } from "../support/receipts.ts";
import { toolContract } from "../support/tool-contract.ts";

const fixture = receiptPorts();
const logged: unknown[] = [];
const { ports: market } = smallMarket();
const signalLog = { ...market.signalLog, record: (signal: unknown) => void logged.push(signal) };
const ports = { ...market, ...fixture, signalLog };
const as = (principal = pro) => ({ ports, principal, transport: "test" });

describe("issue_receipt", () => {
  it("issues and stores the signal that get_signal returns at the same moment", async () => {
    const asked = { symbol: "aapl", as_of: "2025-12-31" };
    const { receipt, market } = await invoke(issueReceipt, asked, as());
    const { data } = await invoke(getSignal, { ...asked, detail: "full" }, as());
    expect(market).toBe("sample");
    expect(receipt).toMatchObject({
      symbol: "AAPL",
      as_of: "2026-01-01T00:00:00.000Z",
      issued_at: NOW.toISOString(),
      decided_at: data.bars.as_of,
      inputs_hash: data.inputs_hash,
      source: data.source,
    });
    const { symbol, timeframe, evidence, ics_score, model_version, ...said } = data.signal;
    const { drivers, close, ...result } = receipt.result;
    // the price is not part of a receipt, and so neither is its place against the plan
    const { conflicts, entry_state, rr_now, odds_reason, agreement, ...verdict } = said;
    const { confidence_basis, confidence_base, confidence_interval, ...signed } = verdict;
    expect(Signal.partial().parse(result), "exact in the receipt").toEqual(signed);
    expect(drivers.map((row) => DriverRow.pick({ id: true, value: true }).parse(row))).toEqual(
      data.drivers!.map(({ id, value }) => ({ id, value })),
    );
    // ten weekdays before the last bar
    expect(close).toBe(137.375 - 10 / 8);
    expect(fixture.held.get(`pro ${receipt.receipt_id}`)!.text).toBe(JSON.stringify(receipt));
  });

  it("reads nothing later than the decision", async () => {
    const { receipt } = await invoke(issueReceipt, { symbol: "AAPL", as_of: "2025-12-31" }, as());
    const late = receipt.inputs.filter(({ last }) => last !== null && last > receipt.decided_at);
    expect(late).toEqual([]);
    expect(receipt.inputs.map(({ name }) => name)).toEqual(expect.arrayContaining(["bars", "benchmark"]));
  });

  it("logs the signal as served", async () => {
    logged.length = 0;
    const { receipt } = await invoke(issueReceipt, { symbol: "AAPL" }, as());
    expect(logged).toMatchObject([{ origin: "served", inputs_hash: receipt.inputs_hash }]);
  });

  it("gives each receipt a new id", async () => {
    const [one, two] = [
      await invoke(issueReceipt, { symbol: "AAPL" }, as()),
      await invoke(issueReceipt, { symbol: "AAPL" }, as()),
    ];
    expect(one.receipt.receipt_id).not.toBe(two.receipt.receipt_id);
    expect(one.receipt.inputs_hash).toBe(two.receipt.inputs_hash);
  });

  it.each([
    [{ symbol: "APPL" }, "UNKNOWN_SYMBOL"],
    [{ symbol: "AAPL", as_of: "2026-01-16" }, "INVALID_INPUT"],
    [{ symbol: "AAPL", as_of: "2024-01-01" }, "NOT_ENOUGH_DATA"],
  ])("rejects %j with %s, and stores nothing", async (input, code) => {
    const before = fixture.held.size;
    await expect(invoke(issueReceipt, input, as())).rejects.toMatchObject({ code });
    expect(fixture.held.size).toBe(before);
  });
});

toolContract(issueReceipt, { ports });
