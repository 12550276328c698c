import { describe, expect, it } from "vitest";
import { createAuditVerifier } from "../../src/access/audit/audit-check.ts";
import { verifyAudit } from "../../tools/verify-audit.ts";
import { auditVault, logOf } from "../support/audit-forgeries.ts";
import { testPorts } from "../support/context.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { trader } from "../support/trades.ts";

const log = () =>
  logOf([
    { account: trader.account, event: "order_sending", about: { order: "or_1" } },
    { account: "another", event: "order_sending", about: { order: "or_2" } },
    { account: trader.account, event: "order_sending", about: { order: "or_3" } },
  ]);
type Log = Awaited<ReturnType<typeof log>>;
const auditVerifier = ({ book }: Pick<Log, "book">) =>
  createAuditVerifier({ repository: book, vault: auditVault });
const call = (of: Pick<Log, "book">, input = {}) =>
  callerOf(verifyAudit, testPorts({ auditVerifier: auditVerifier(of) }), trader)(input);

describe("verify_audit", () => {
  it("returns the head of an intact log, and finds that head again", async () => {
    const kept = await log();
    const told = await call(kept);
    expect(told).toMatchObject({ intact: true, entries: 3, verified: 3, fault_count: 0, faults: [] });
    expect(told.head).toMatch(/^3:[0-9a-f]{64}$/);
    expect(told.head_held).toBe(null);
    expect(await call(kept, { head: told.head })).toMatchObject({ intact: true, head_held: true });
  });

  it("names changed entries, with details only of the caller's account", async () => {
    const kept = await log();
    for (const seq of [1, 2]) kept.held.entries[seq - 1] = { ...kept.held.entries[seq - 1]!, about: "{}" };
    const told = await call(kept);
    expect(told).toMatchObject({ intact: false, entries: 3, verified: 1, fault_count: 2 });
    expect(told.faults).toEqual([
      { entry: 1, wrong: "edited", event: "order_sending", in_words: "Entry 1 was changed" },
      { entry: 2, wrong: "edited", event: null, in_words: "Entry 2 was changed" },
    ]);
    expect(JSON.stringify(told)).not.toContain("another");
    const seen = verifyAudit.terminal!(told, (_, text) => text);
    expect(seen).toContain("NOT INTACT faults: 2, entries: 3\nEntry 1 was changed\n");
  });

  it("reads the entries since the last verification, and all of them with full", async () => {
    const kept = await log();
    const verifier = auditVerifier(kept);
    const reads: number[] = [];
    const { entries } = kept.book;
    kept.book.entries = async (after, limit) => {
      const found = await entries(after, limit);
      if (limit > 1) reads.push(...found.map(({ seq }) => seq));
      return found;
    };
    const verify = async (input = {}) => {
      reads.length = 0;
      const report = await callerOf(verifyAudit, testPorts({ auditVerifier: verifier }), trader)(input);
      return {
        entries: report.entries,
        from: report.read_from,
        verified: report.verified,
        faults: report.fault_count,
        reads: [...reads],
      };
    };
    expect(await verify()).toEqual({ entries: 3, from: 1, verified: 3, faults: 0, reads: [1, 2, 3] });
    await kept.write(trader.account, "order_sending", { order: "or_4" });
    expect(await verify()).toEqual({ entries: 4, from: 3, verified: 4, faults: 0, reads: [3, 4] });
    kept.held.entries[0] = { ...kept.held.entries[0]!, about: "{}" };
    expect(await verify({ full: true })).toEqual({
      entries: 4,
      from: 1,
      verified: 3,
      faults: 1,
      reads: [1, 2, 3, 4],
    });
    expect(await verify()).toMatchObject({ faults: 1, reads: [1, 2, 3, 4] });
  });

  it("says that only the newest entries were read, and from which on", async () => {
    const kept = await log();
    const ports = testPorts({ auditVerifier: auditVerifier(kept) });
    const verify = callerOf(verifyAudit, ports, trader);
    const seen = (answer: Awaited<ReturnType<typeof verify>>) =>
      verifyAudit.terminal!(answer, (_, text) => text);
    const sentence =
      "Only the entries since the last verification were read, from entry 3 on; full: true reads all.";
    const all = await verify({});
    expect(seen(all)).not.toContain("Only the entries");
    const newest = await verify({});
    expect(newest.hint).toBe(`${sentence} ${all.hint}`);
    expect(seen(newest)).toBe(`intact entries: 3, all unchanged\nhead ${newest.head}\n${newest.hint}`);
  });

  it("detects an edit of the newest verified entry and of the head file", async () => {
    for (const forge of [
      (held: Log["held"]) => {
        held.entries[2] = { ...held.entries[2]!, about: "{}" };
      },
      (held: Log["held"]) => {
        held.noted = { ...held.noted!, mac: "a".repeat(64) };
      },
    ]) {
      const kept = await log();
      const verifier = auditVerifier(kept);
      expect(await verifier.check()).toMatchObject({ ok: true });
      forge(kept.held);
      expect(await verifier.check()).toMatchObject({ ok: false });
    }
  });

  it("detects a log restored to an earlier state by a saved head", async () => {
    const kept = await log();
    const { head } = await call(kept);
    const earlier = await call(await logOf([]), { head });
    expect(earlier).toMatchObject({ intact: false, head_held: false, entries: 0, fault_count: 0 });
    expect(earlier.hint).toContain("restored from a backup");
  });

  it("finds the head of each entry and of the empty log", async () => {
    const kept = await log();
    const heads = [{ seq: 0, mac: "0".repeat(64) }, ...kept.held.entries];
    for (const { seq, mac } of heads)
      expect(await call(kept, { head: `${seq}:${mac}` })).toMatchObject({ intact: true, head_held: true });
    for (const seq of [0, 1, 3, 4])
      expect(await call(kept, { head: `${seq}:${"a".repeat(64)}` })).toMatchObject({ head_held: false });
  });

  it("distinguishes another server's head from an entry that was changed", async () => {
    const kept = await log();
    const foreign = { head: `2:${"a".repeat(64)}` };
    expect(await call(kept, foreign)).toMatchObject({
      intact: false,
      head_held: false,
      verified: 3,
      fault_count: 0,
      faults: [],
      hint: expect.stringContaining("or from another server"),
    });
    kept.held.entries[0] = { ...kept.held.entries[0]!, about: "{}" };
    expect(await call(kept, foreign)).toMatchObject({ head_held: false, fault_count: 1, verified: 2 });
  });

  it("rejects an invalid head with a hint", async () => {
    await expect(call(await log(), { head: "3" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      hint: "The format is <number>:<64 hex digits>, as returned by an earlier call.",
    });
  });
});

toolContract(verifyAudit, { ports: { auditVerifier: auditVerifier(await log()) } });
