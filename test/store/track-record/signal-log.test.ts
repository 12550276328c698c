import { describe, expect, it } from "vitest";
import type { LoggedSignal } from "../../../src/domain/track-record/track.ts";
import { signalLog } from "../../../src/store/track-record/signal-log.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { collectingLog, stoppedClock } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";
import { loggedSignal } from "../../support/track.ts";

/** A repository that only counts. */
const counting = (written: number[]) => ({
  async log(all: readonly LoggedSignal[]) {
    written.push(all.length);
    return [];
  },
});

describe("the log of served signals", () => {
  it("writes pending signals when it is closed, each once", async () => {
    const { db } = await testStore();
    const repository = trackRepository({ db, market: "test", clock: stoppedClock() });
    const count = async () => (await db.selectFrom("signals").select("id").execute()).length;
    const log = signalLog({ repository, market: "test", log: collectingLog().log, clock: stoppedClock() });
    for (let i = 0; i < 1_000; i++) log.record(loggedSignal({ origin: "served" }));
    log.record(loggedSignal({ origin: "served", symbol: "MSFT" }));
    expect(await count()).toBe(0);
    await log.close();
    expect(await count()).toBe(2);
    log.record(loggedSignal({ origin: "served" }));
    await log.close();
    expect(await count()).toBe(2);
  });

  it("writes a thousand equal signals once", async () => {
    const written: number[] = [];
    const repository = counting(written);
    const log = signalLog({ repository, market: "test", log: collectingLog().log, clock: stoppedClock() });
    for (let i = 0; i < 1_000; i++) log.record(loggedSignal());
    await log.close();
    log.record(loggedSignal());
    await log.close();
    expect(written).toEqual([1]);
  });

  it("writes without delay when many signals are pending", async () => {
    const written: number[] = [];
    const repository = counting(written);
    const log = signalLog({ repository, market: "test", log: collectingLog().log, clock: stoppedClock() });
    for (let i = 0; i < 2_500; i++) log.record(loggedSignal({ symbol: `S${i}` }));
    await log.close();
    expect(written).toEqual([1_000, 1_000, 500]);
  });

  it("logs and drops failed writes, and continues", async () => {
    const { log: lines, lines: stored } = collectingLog();
    let broken = true;
    const written: number[] = [];
    const repository = {
      log: async (all: readonly unknown[]) => {
        if (broken) throw new Error("disk full");
        written.push(all.length);
        return [];
      },
    };
    const log = signalLog({ repository, market: "test", log: lines, clock: stoppedClock() });
    log.record(loggedSignal());
    await log.close();
    expect(stored).toMatchObject([{ level: "warn", event: "signals_not_logged", fields: { signals: 1 } }]);
    broken = false;
    log.record(loggedSignal());
    log.record(loggedSignal({ symbol: "MSFT" }));
    await log.close();
    expect(written, "what was lost is written when it is served again").toEqual([2]);
  });
});
