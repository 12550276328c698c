import { startReplay } from "../../replay/server.ts";
import { createWorld } from "../../replay/shared-world.ts";
import { VENDORS } from "../../replay/vendors.ts";
import type { WarmRequest } from "./replayed.ts";

// Runs every provider's replay in one process, with or without the providers' delays; reports the called providers.
const [latency] = process.argv.slice(2);
const world = createWorld({ now: Date.now });
const replay = await startReplay({ world, vendors: VENDORS, latency: latency === "realistic" });

process.on("message", ({ id, warm }: WarmRequest) => {
  // Generated in advance, because a real provider does not generate its data during a request.
  for (const [symbol, timeframe] of warm) {
    world.bars(symbol, timeframe, { from: Date.now() - 400 * 86_400_000, until: Date.now() });
    world.trade(symbol);
  }
  process.send?.({ id, calls: replay.calls() });
});
process.on("disconnect", () => void replay.close().then(() => process.exit(0)));
process.send?.({ env: replay.env });
