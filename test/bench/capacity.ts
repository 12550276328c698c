import { POSTGRES_URL } from "../support/postgres.ts";
import { readCosts, writeCosts } from "./capacity/costs.ts";
import { measureNightAndCalls } from "./capacity/night.ts";
import { SECTIONS } from "./capacity/page.ts";
import { measureBesideRecord } from "./capacity/record.ts";
import { measureWrites } from "./capacity/writes.ts";

/** Returns the number after an option of the command line. */
function optionOf(name: string, whenOmitted: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? whenOmitted : Number(process.argv[at + 1]);
}

/**
 * Measures the costs from which the model of docs/scaling.md is computed: `.ci/postgres npm run bench -- capacity`. With
 * `--record`, it measures instead reads with a record of `--symbols` (default: 1,000) over `--days` (default: 250); one of
 * 10,000 over 2,520 needs 40 GB on a disk: `CI_POSTGRES_PARENT=/var/tmp`. `--write` stores the costs for the model.
 */
export async function run(): Promise<void> {
  if (POSTGRES_URL === null)
    throw new Error("TEST_DATABASE_URL is missing: .ci/postgres npm run bench -- capacity");
  const day = new Date().toISOString().slice(0, 10);
  const { days } = readCosts();
  const size = { symbols: optionOf("--symbols", 1_000), days: optionOf("--days", 250) };
  const parts = process.argv.includes("--record")
    ? { ...(await measureBesideRecord(size)), days: { ...days, record: day } }
    : {
        writes: await measureWrites(POSTGRES_URL),
        ...(await measureNightAndCalls()),
        days: { ...days, costs: day },
      };
  console.log(JSON.stringify(parts, null, 2));
  if (!process.argv.includes("--write")) return;
  writeCosts(parts);
  for (const [name, section] of Object.entries(SECTIONS)) console.log(`\n${name}\n${section(readCosts())}`);
}
