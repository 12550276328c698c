import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { streamVendors } from "../replay/streams.ts";

/** The streams of all vendors on a local port; nothing is sent before the test sends it. */
export async function startStreamVendors({ symbolLimit }: { readonly symbolLimit?: number } = {}) {
  const server = createServer();
  const { us, tokens } = embeddedListings();
  const listed = new Map(
    [...us.values(), ...tokens.values()].map(({ instrument }) => [instrument.symbol, instrument]),
  );
  const world = { now: Date.now, instrument: (symbol: string) => listed.get(symbol) ?? null };
  const vendors = streamVendors(server, { world, ...(symbolLimit !== undefined && { symbolLimit }) });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...vendors,
    listed,
    url: (vendor: string) => `http://127.0.0.1:${port}/${vendor}`,
    async close() {
      vendors.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A trade with statistics around its price. */
export const streamedTrade = (price: number, at = Date.now()) => ({
  price,
  at,
  open: 95,
  high: 110,
  low: 90,
  volume: 1_234,
});
