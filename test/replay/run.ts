import { parseArgs } from "node:util";
import { NOTICE } from "./replay.ts";
import { startReplay } from "./server.ts";
import { createWorld } from "./shared-world.ts";
import { VENDORS } from "./vendors.ts";

const USAGE = `Usage: npm run replay -- [--port 8899] [--faults 0.3] [--off yahoo,cboe] [--seed 7] [--fast]
  --faults  share of failing requests, 0 to 1; default 0
  --off     unreachable providers; default none
  --seed    chooses which requests fail; default 1
  --fast    responds at once instead of as late as the providers`;

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8899" },
    faults: { type: "string", default: "0" },
    off: { type: "string", default: "" },
    seed: { type: "string", default: "1" },
    fast: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const off = new Set(values.off.split(",").filter((name) => name !== ""));
const [port, rate, seed] = [values.port, values.faults, values.seed].map(Number) as [number, number, number];
const unknown = [...off].find((name) => !VENDORS.some((vendor) => vendor.name === name));
const problem =
  unknown !== undefined
    ? `No provider "${unknown}": ${VENDORS.map(({ name }) => name).join(", ")}.`
    : rate >= 0 && rate <= 1 && Number.isInteger(seed) && Number.isInteger(port)
      ? null
      : "--port and --seed are whole numbers, --faults lies between 0 and 1.";
if (values.help || problem !== null) {
  console.error(problem ?? USAGE);
  process.exit(values.help ? 0 : 2);
}

const replay = await startReplay({
  world: createWorld({ now: Date.now }),
  vendors: VENDORS,
  faults: { rate, off },
  latency: !values.fast,
  seed,
  port,
});
const keys = VENDORS.flatMap(({ name, key }) => (key === null ? [] : [`  ${name}: ${key}`]));
console.log(`${NOTICE}
It responds as ${VENDORS.length} providers would${rate > 0 ? `; ${100 * rate} % of requests fail (seed ${seed})` : ""}${off.size > 0 ? `; off: ${[...off].join(", ")}` : ""}.
Results of a server that calls it are "live" in name only: never act on them, and give the server a data folder of its own.

Run the server with:

MARKET_DATA=live DATA_DIR="$HOME/.market-signal-replay" PORT=8788 \\
${Object.entries(replay.env)
  .map(([name, url]) => `  ${name}=${url} \\\n`)
  .join("")}  npm start
${keys.length > 0 ? `\nProviders that need a key, and the key they accept here:\n${keys.join("\n")}\n` : ""}
Stop with Ctrl+C.`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void replay.close());
