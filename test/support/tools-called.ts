import { interpretationOf } from "../../src/features/requests/interpret.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { LISTINGS } from "../../src/providers/sample/listing.ts";
import { sampleMarket } from "./context.ts";
import { toolSearchOf } from "./requests.ts";

const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });
const toolSearch = toolSearchOf();
const NOW = new Date("2026-11-20T15:00:00Z");

/** Returns the tools that `interpret_query` calls for a request, and its answer with empty results. */
export async function toolsCalled(
  query: string,
): Promise<{ readonly tools: readonly string[]; readonly answer: string }> {
  const tools: string[] = [];
  const { answer } = await interpretationOf(
    { query, detail: "concise", self: "interpret_query" },
    {
      symbols,
      toolSearch,
      tasks: {
        names: () => [],
        run: async () => [],
        callSkill: async ({ skill }) => {
          tools.push(skill);
          return { data: {}, error: null, text: "" };
        },
      },
      market: sampleMarket,
      queryHelp: { read: null },
      clock: { now: () => NOW },
      principal: { account: "reader", plan: "pro", scopes: ["read"] },
      requestId: "00000000-0000-4000-8000-000000000000",
      signal: new AbortController().signal,
      progress() {},
    },
  );
  return { tools, answer };
}
