import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ToolError } from "../../src/kernel/errors.ts";
import { createSharedPages, type FollowCall, follow } from "../../src/kernel/follow.ts";
import { changesTool, recordingChanges } from "../support/changes.ts";
import { countingMeters, member, pro, testPorts } from "../support/context.ts";
import { directoryOf } from "../support/market.ts";

const symbols = directoryOf(["AAPL", "MSFT", "NVDA"]);

/** A follower of symbols, with all dependencies. */
function follower(
  input: Record<string, unknown> = { symbols: ["AAPL", "MSFT"] },
  { lists = {}, ...over }: Partial<FollowCall> & { lists?: Record<string, string[]> } = {},
) {
  const noticed = recordingChanges();
  const { meters, debits } = countingMeters();
  const { changes } = noticed;
  const stop = new AbortController();
  const ports = { ...testPorts({ symbols, changes, meters }), changes };
  const steps = follow(changesTool(lists), input, {
    ports,
    principal: pro,
    transport: "test",
    signal: stop.signal,
    refreshPrincipal: async () => pro,
    ...over,
  });
  /** Returns the next update in short form: `AAPL sc_1 cu_1`. */
  const next = async () => {
    const { value } = await steps.next();
    if (!value) return "end";
    return value.kind === "change"
      ? `${value.change.symbol} ${value.change.change_id} ${value.cursor}`
      : `${value.watching.map(({ symbol }) => symbol)} ${value.cursor}`;
  };
  return { ...noticed, steps, next, stop, debits };
}

describe("following", () => {
  it("yields the watched series, then each change once; only the first call is metered", async () => {
    const { next, notice, followed, debits } = follower();
    notice("AAPL"); // before the first read
    expect(await next()).toBe("AAPL,MSFT cu_1");
    expect([...followed]).toEqual([
      ["AAPL 1d", 1],
      ["MSFT 1d", 1],
    ]);
    const first = next();
    notice("NVDA");
    notice("AAPL", "4h");
    notice("MSFT");
    expect(await first).toBe("MSFT sc_4 cu_4");
    notice("AAPL");
    expect(await next()).toBe("AAPL sc_5 cu_5");
    expect(debits).toEqual({ burst: 1, day: 1 });
  });

  it("yields changes that arrived between reads in order, page by page, each with its cursor", async () => {
    const { next, notice } = follower();
    expect(await next()).toBe("AAPL,MSFT cu_0");
    for (const symbol of ["AAPL", "MSFT", "NVDA", "AAPL", "MSFT", "AAPL"]) notice(symbol);
    for (const step of [
      "AAPL sc_1 sc_1",
      "MSFT sc_2 sc_2",
      "AAPL sc_4 cu_4",
      "MSFT sc_5 sc_5",
      "AAPL sc_6 cu_6",
    ])
      expect(await next()).toBe(step);
  });

  it("loses no change during the first call", async () => {
    const { next, notice, listeners } = follower();
    const first = next();
    expect(listeners.size).toBe(1);
    await Promise.resolve();
    notice("MSFT");
    expect(await first).toMatch(/^AAPL,MSFT cu_[01]$/);
    notice("AAPL");
    const received = [await next()];
    if (received[0]!.startsWith("MSFT")) received.push(await next());
    expect(received.at(-1)).toBe("AAPL sc_2 cu_2");
  });

  it.each(["sc_2", "cu_2"])("resumes after %s", async (after) => {
    const { next, notice } = follower({ symbols: ["AAPL"], after });
    for (let i = 0; i < 3; i++) notice("AAPL");
    expect([await next(), await next()]).toEqual([`AAPL ${after}`, "AAPL sc_3 cu_3"]);
  });

  it("starts at a past time with `since`, without a cursor before the first change", async () => {
    const { next, notice } = follower({ symbols: ["AAPL"], since: "2026-01-01" });
    notice("AAPL");
    notice("AAPL");
    for (const step of ["AAPL null", "AAPL sc_1 sc_1", "AAPL sc_2 cu_2"]) expect(await next()).toBe(step);
    notice("AAPL");
    expect(await next()).toBe("AAPL sc_3 cu_3");
  });

  it("yields the new series when a list changes, and watches them", async () => {
    const lists = { mine: ["AAPL"] };
    let wake = () => {};
    const { next, notice, followed } = follower(
      { list: "mine" },
      {
        lists,
        registerWake: (registered) => {
          wake = registered;
        },
      },
    );
    expect(await next()).toBe("AAPL cu_0");
    const another = next();
    lists.mine = ["MSFT"];
    notice("MSFT"); // not watched yet, but returned once it is in the list
    wake();
    expect(await another).toBe("MSFT cu_0");
    expect([...followed.keys()]).toEqual(["MSFT 1d"]);
    expect(await next()).toBe("MSFT sc_1 cu_1");
  });

  it("watches no series for an empty list", async () => {
    const { next } = follower({ symbols: [] });
    expect(await next()).toBe(" cu_0");
  });
});

describe("streams that share pages", () => {
  const http = { stream: { route: "GET /api/v1/x", title: "", description: "", sharedWith: "symbols" } };
  const tool = { ...changesTool({ mine: ["AAPL"] }), http };

  /** Streams of one transport, and the number of reads of the store since they began. */
  async function streams(...inputs: readonly Record<string, unknown>[]) {
    const { changes, notice } = recordingChanges();
    const since = vi.spyOn(changes, "since");
    const ports = { ...testPorts({ symbols, changes, meters: countingMeters().meters }), changes };
    const pages = createSharedPages();
    const all = inputs.map((input) => {
      const stop = new AbortController();
      const call = { ports, pages, principal: pro, transport: "test", refreshPrincipal: async () => pro };
      return { stop, steps: follow(tool, input, { ...call, signal: stop.signal }) };
    });
    for (const { steps } of all) await steps.next();
    since.mockClear();
    const next = () =>
      Promise.all(
        all.map(async ({ steps }) => {
          const { value } = await steps.next();
          return value && value.kind === "change" ? value.change.change_id : "end";
        }),
      );
    return { all, notice, next, reads: () => since.mock.calls.length };
  }

  it("read the store once for each query after a change, and each yields every change", async () => {
    const { notice, next, reads } = await streams(
      ...[{ symbols: ["AAPL"] }, { symbols: ["AAPL"] }, { symbols: ["AAPL", "MSFT"] }],
    );
    for (const id of ["sc_1", "sc_2", "sc_3"]) {
      const received = next();
      notice("AAPL");
      expect(await received).toEqual([id, id, id]);
    }
    expect(reads()).toBe(6);
  });

  it("do not share what depends on the account", async () => {
    const { notice, next, reads } = await streams({ list: "mine" }, { list: "mine" });
    const received = next();
    notice("AAPL");
    expect(await received).toEqual(["sc_1", "sc_1"]);
    expect(reads()).toBe(2);
  });

  it("go on when the one that reads ends", async () => {
    const { all, notice, next } = await streams({ symbols: ["AAPL"] }, { symbols: ["AAPL"] });
    const received = next();
    notice("AAPL");
    all[0]!.stop.abort();
    expect((await received)[1]).toBe("sc_1");
  });
});

describe("the end of a subscription", () => {
  it.each(["waiting", "reading"])("follows an abort while %s, and releases all resources", async (when) => {
    const { next, notice, stop, followed, listeners } = follower();
    await next();
    if (when === "reading") notice("AAPL");
    const last = next();
    stop.abort();
    expect(["end", "AAPL sc_1 cu_1"]).toContain(await last);
    expect(await next()).toBe("end");
    expect([followed.size, listeners.size]).toEqual([0, 0]);
  });

  it("follows a return by the reader, and releases all resources", async () => {
    const { steps, followed, listeners } = follower();
    await steps.next();
    await steps.return();
    expect([followed.size, listeners.size]).toEqual([0, 0]);
  });

  it.each([
    ["UNAUTHENTICATED", () => Promise.reject(new ToolError("UNAUTHENTICATED", "Revoked"))],
    ["PLAN_REQUIRED", async () => member],
  ])("comes with %s once the key is invalid, before the next change", async (code, again) => {
    const { next, notice, followed, listeners } = follower(undefined, { refreshPrincipal: again });
    await next();
    notice("AAPL");
    await expect(next()).rejects.toMatchObject({ code });
    expect([followed.size, listeners.size]).toEqual([0, 0]);
  });

  it.each([
    ["UNKNOWN_SYMBOL", { symbols: ["ZZZZQ"] }],
    ["INVALID_INPUT", { symbols: ["AAPL"], after: "cu_x" }],
    ["INVALID_INPUT", { nothing: 1 }],
    ["INVALID_INPUT", "AAPL" as never],
  ])("comes at once with %s", async (code, input) => {
    const { next, listeners } = follower(input);
    await expect(next()).rejects.toMatchObject({ code });
    expect(listeners.size).toBe(0);
  });
});

it("yields every watched change once and in order, for any interleaving of reads, changes and reconnects", async () => {
  const symbol = fc.constantFrom("AAPL", "MSFT", "NVDA");
  const deed = fc.oneof(symbol, fc.constant("read"), fc.constant("break"));
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 30 }), async (deeds) => {
      const { changes, notice, stored } = recordingChanges();
      const ports = {
        ...testPorts({ symbols, changes, meters: countingMeters({ burst: 1e6, day: 1e6 }).meters }),
        changes,
      };
      const received: string[] = [];
      let place: string | null = "cu_0";
      const dial = () => {
        const stop = new AbortController();
        const call = { ports, principal: pro, transport: "test", refreshPrincipal: async () => pro };
        const input = { symbols: ["AAPL", "MSFT"], after: place };
        return { stop, steps: follow(changesTool(), input, { ...call, signal: stop.signal }) };
      };
      let line = dial();
      const read = async () => {
        const { value } = await line.steps.next();
        if (!value) return;
        if (value.kind === "change") received.push(value.change.change_id);
        place = value.cursor;
      };
      const wanted = () =>
        stored.filter(({ symbol: one }) => one !== "NVDA").map(({ change_id }) => change_id);
      await read();
      for (const what of deeds) {
        if (what === "break") {
          line.stop.abort();
          await line.steps.return();
          line = dial();
          await read();
        } else if (what !== "read") notice(what);
        else if (received.length < wanted().length) await read();
      }
      while (received.length < wanted().length) await read();
      expect(received).toEqual(wanted());
      line.stop.abort();
    }),
    { numRuns: 60 },
  );
});
