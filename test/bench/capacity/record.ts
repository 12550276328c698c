import { install } from "../../support/installation.ts";
import { suiteDir } from "../../support/temp-dir.ts";
import { bytesPerRow, type CapacityCosts } from "./costs.ts";
import { FILLED_TABLES, fillRecord, type RecordSize } from "./fill-record.ts";
import { measureReads } from "./reads.ts";
import { tableSizes } from "./table-sizes.ts";

/**
 * Measures reads in a database with the record of many symbols and in one without a past, both after one nightly run of the
 * simulated market.
 */
export async function measureBesideRecord(
  size: RecordSize,
): Promise<Pick<CapacityCosts, "reads" | "filled" | "bytesPerRow">> {
  const dirs = [suiteDir(), suiteDir()] as const;
  const [empty, first] = await Promise.all(dirs.map(({ dir }) => install(dir, "sample")));
  for (const { app } of [empty!, first!]) await app.engine.run({ universe: { name: "all" } });
  const url = first!.env.DATABASE_URL!;
  const market = first!.app.ports.market.id;
  await first!.stop();
  await fillRecord(url, { ...size, market, now: Date.now() });
  const sizes = await tableSizes(url);
  const filled = await install(dirs[1].dir, "sample");
  try {
    return {
      reads: await measureReads({ empty: empty!, filled }),
      filled: {
        ...size,
        rows: Object.fromEntries(FILLED_TABLES.map((name) => [name, sizes.get(name)?.rows ?? 0])),
      },
      bytesPerRow: bytesPerRow(sizes),
    };
  } finally {
    for (const site of [empty!, filled]) await site.stop();
    for (const { remove } of dirs) remove();
  }
}
