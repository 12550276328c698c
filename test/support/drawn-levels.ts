import type { DrawnLevels } from "../../src/domain/drawn-levels/drawn-levels-port.ts";
import type { Split } from "../../src/domain/market/corporate-actions.ts";
import type { BarHistory } from "../../src/domain/ports.ts";
import { drawnLevels } from "../../src/store/drawn-levels/drawn-levels.ts";
import { openMemoryStore } from "./store.ts";

/** Drawn levels in a new store in memory, which lasts as long as the test file. */
export async function storedLevels(): Promise<DrawnLevels> {
  const { db } = await openMemoryStore();
  return drawnLevels({ db, market: "test" });
}

/** Returns bars whose source reports these splits. */
export const withSplits = (bars: BarHistory, splits: readonly Split[]): BarHistory => ({
  async history(instrument, request) {
    return { ...(await bars.history(instrument, request)), actions: { splits, dividends: null } };
  },
});
