import { z } from "zod";
import { defineAgent } from "../../src/kernel/agent.ts";
import { defineTool } from "../../src/kernel/tool.ts";
import { getQuote } from "../../tools/get-quote.ts";

const base = {
  title: "t",
  description: "d",
  toolset: "market",
  plan: "member",
  needs: ["clock"],
  input: z.object({ symbol: z.string() }),
  output: z.object({ ok: z.boolean() }),
  examples: [{ ask: "?", input: { symbol: "A" } }],
} as const;
const handler = () => ({ ok: true });

// @ts-expect-error a :param that the input does not have
defineTool({ ...base, name: "a", effect: "read", route: "GET /x/:ticker", handler });
// @ts-expect-error the second of two parameters is missing too
defineTool({ ...base, name: "a", effect: "read", route: "GET /x/:symbol/:day", handler });
// @ts-expect-error a trade must not use GET
defineTool({ ...base, name: "b", effect: "trade", route: "GET /x/:symbol", handler });
// @ts-expect-error a write must not use GET
defineTool({ ...base, name: "b", effect: "write", route: "GET /x/:symbol", handler });
// @ts-expect-error a read must not use DELETE
defineTool({ ...base, name: "b", effect: "read", route: "DELETE /x/:symbol", handler });
// @ts-expect-error a route must begin with its verb
defineTool({ ...base, name: "b", effect: "read", route: "/x/:symbol", handler });
defineTool({
  ...base,
  name: "c",
  effect: "read",
  route: "GET /x/:symbol",
  // @ts-expect-error a port that is not declared in `needs`
  handler: (_i, { quotes }) => ({ ok: !!quotes }),
});
// @ts-expect-error output of the wrong shape
defineTool({ ...base, name: "d", effect: "read", route: "GET /x/:symbol", handler: () => ({ yes: 1 }) });
// @ts-expect-error a port that does not exist
defineTool({ ...base, name: "d", effect: "read", route: "GET /x/:symbol", needs: ["oracle"], handler });
// @ts-expect-error at least one example is required
defineTool({ ...base, name: "d", effect: "read", route: "GET /x/:symbol", examples: [], handler });
defineTool({
  ...base,
  name: "d",
  effect: "read",
  route: "GET /x/:symbol",
  // @ts-expect-error an example with the wrong input
  examples: [{ ask: "?", input: { ticker: "A" } }],
  handler,
});
defineTool({
  ...base,
  name: "e",
  effect: "trade",
  route: "POST /x/:symbol",
  handler: ({ symbol }, { clock, principal, requestId }) => ({
    ok: [symbol, principal.account, requestId].includes(clock.now().toISOString()),
  }),
});

const other = defineTool({ ...base, name: "other", effect: "read", route: "GET /o/:symbol", handler });
defineAgent({
  name: "n",
  title: "t",
  description: "d",
  route: "POST /n",
  uses: [getQuote],
  input: z.object({}),
  output: z.object({ price: z.number() }),
  examples: [{ ask: "?", input: {} }],
  async run(_input, { call }) {
    const quote = await call(getQuote, { symbol: "A" });
    // @ts-expect-error not in `uses`
    await call(other, { symbol: "A" });
    // @ts-expect-error wrong input
    await call(getQuote, { ticker: "A" });
    // @ts-expect-error not a field of the output
    quote.price;
    return { price: quote.data.price };
  },
});
