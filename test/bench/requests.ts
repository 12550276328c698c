import { type Ask, isOfReader, readAsks, toolSearchOf } from "../support/requests.ts";
import { toolsCalled } from "../support/tools-called.ts";

/** Sets used while the rules were written, and those that were only measured. */
const SETS = ["tuning", "held-out", "names-tuning", "names-held-out", "talk", "talk-held-out", "final"];
const OUTSIDE = ["outside", "outside-held-out"];

const search = toolSearchOf();
const owner = { account: "owner", plan: "enterprise", scopes: ["read", "write", "trade:paper"] } as const;
const isListed = process.argv.includes("--list");

/** Prints for each set of labelled requests how many are answered by the right tool; `--list` names the others. */
export async function run(): Promise<void> {
  for (const name of SETS) {
    const asks = readAsks(name);
    const found = asks.filter(({ ask, tools }) => {
      const [first] = search.find(ask, { principal: owner, limit: 1, readonly: false }).tools;
      return tools.includes(first?.name ?? "");
    });
    const reading = asks.filter(isOfReader);
    const called = await countRight(reading, (called, { tools }) =>
      tools.some((tool) => called.tools.includes(tool)),
    );
    console.log(
      `${name.padEnd(16)} found first ${found.length} of ${asks.length}, called ${called} of ${reading.length} of reading tools`,
    );
  }
  for (const name of OUTSIDE) {
    const asks = readAsks(name);
    const denied = await countRight(
      asks,
      ({ tools, answer }) => tools.length === 0 && answer.includes("No tool here answers that"),
    );
    console.log(`${name.padEnd(16)} denied ${denied} of ${asks.length}, without a call`);
  }
}

async function countRight(
  asks: readonly Ask[],
  isRight: (called: Awaited<ReturnType<typeof toolsCalled>>, ask: Ask) => boolean,
): Promise<number> {
  let right = 0;
  for (const ask of asks) {
    const called = await toolsCalled(ask.ask);
    if (isRight(called, ask)) right++;
    else if (isListed) console.log(`  ${ask.ask}: ${called.tools.join(", ")}`);
  }
  return right;
}
