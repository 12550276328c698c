import { parseArgs } from "node:util";
import { POSTGRES_URL } from "../support/postgres.ts";
import { PROOFS } from "./index.ts";
import { type Scale, SEED } from "./proof.ts";

const MAX_SHOWN = 20;
const MAX_LINE_LENGTH = 600;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean" },
    quick: { type: "boolean" },
    seed: { type: "string" },
    seeds: { type: "string" },
  },
});
const unknown = positionals.filter((name) => !PROOFS.some((proof) => proof.name === name));
if (unknown.length > 0) {
  console.error(
    `No proof named ${unknown.join(", ")}. Proofs: ${PROOFS.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}
const wanted = PROOFS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const scale: Scale = values.quick === true ? "quick" : "full";
const seed = values.seed === undefined ? SEED : Number(values.seed);
/** An explicit seed is run alone. */
const seeds = values.seeds !== undefined ? Number(values.seeds) : values.seed !== undefined ? 1 : null;
if (![seed, seeds ?? 1].every(Number.isSafeInteger)) {
  console.error("--seed and --seeds must be whole numbers.");
  process.exit(2);
}

let proved = 0;
let skipped = 0;
for (const { name, claim, needsPostgres, run } of wanted) {
  console.log(`${name.padEnd(10)} ${claim}`);
  if (values.list === true) continue;
  if (needsPostgres && POSTGRES_URL === null) {
    console.log(`${"".padEnd(10)} skipped without PostgreSQL: .ci/postgres npm run prove -- ${name}`);
    skipped++;
    continue;
  }
  const started = performance.now();
  const report = (line: string) => console.log(`${"".padEnd(10)} ... ${line}`);
  const { figure, broken } = await run({ scale, seed, seeds, report }).catch((cause: unknown) => ({
    figure: "the proof did not finish",
    broken: [cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)],
  }));
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${"".padEnd(10)} ${figure} (${seconds} s, ${scale}, seed ${seed})`);
  for (const line of broken.slice(0, MAX_SHOWN))
    console.log(`${"".padEnd(10)} BROKEN ${line.slice(0, MAX_LINE_LENGTH).replaceAll(/\s+/g, " ")}`);
  if (broken.length > MAX_SHOWN) console.log(`${"".padEnd(10)} and ${broken.length - MAX_SHOWN} more`);
  if (broken.length === 0) proved++;
}
if (values.list !== true) {
  const broken = wanted.length - proved - skipped;
  console.log(`\n${proved} proved, ${broken} broken${skipped === 0 ? "" : `, ${skipped} skipped`}`);
  process.exit(broken === 0 ? 0 : 1);
}
