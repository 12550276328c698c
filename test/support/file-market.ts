import type { Ports } from "../../src/domain/ports.ts";
import { createCache } from "../../src/market/cache.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { openFiles } from "../../src/providers/files/open.ts";
import { stoppedClock, testPorts } from "./context.ts";
import { smallMarket } from "./market.ts";
import { receiptPorts } from "./receipts.ts";

/** Test ports over a folder of bar files, as of a time. */
export async function fileMarket(dir: string, at: string) {
  const clock = stoppedClock(new Date(at));
  const { members, bars, quotes } = await openFiles({ dir, clock, spawn: null });
  return {
    ...testPorts({ clock }),
    ...smallMarket().ports,
    signer: receiptPorts().signer,
    market: { mode: "files", id: "test" },
    symbols: createDirectory({ members, listings: embeddedListings() }),
    bars,
    quotes,
    clock,
    cache: createCache(clock),
  } satisfies Partial<Ports>;
}
