import { expect, it } from "vitest";
import type { Preview } from "../../../src/domain/trading/preview.ts";
import { formatOrder, formatPreview } from "../../../src/features/trading/trade.text.ts";
import { LONG, tradeBench } from "./bench.ts";

const plain = (_: string, text: string) => text;
const linesOf = (shown: Preview) => formatPreview(shown, plain).split("\n");

it("shows no further loss and no risk steps for a closing order", async () => {
  const { preview, ticketOf, execute } = await tradeBench();
  await execute(await ticketOf({ side: "buy", quantity: "2" }));
  const shown = await preview({ side: "sell", quantity: "2" });
  expect(shown.sizing).toMatchObject({ quantity: "2", at_risk: "0" });
  expect(shown.sizing.steps.map(({ step }) => step)).toEqual(["quantity", "notional"]);
  expect(linesOf(shown)).toContain("no further loss: it only closes a held position");
  const opens = await preview({ quantity: "1" }, LONG);
  expect(opens.sizing.steps.map(({ step }) => step)).toEqual(["quantity", "notional", "risk_a_unit", "risk"]);
  expect(linesOf(opens).find((line) => line.startsWith("may lose"))).toMatch(
    /^may lose \S+ USD at the stop, \S+ USD in the worst case \(.*before fees and slippage\)$/,
  );
});

it("shows figures of a broken rule with their unit, text without", async () => {
  const { preview, setLimits } = await tradeBench();
  await setLimits({ max_notional_usd: "1000", symbols: ["MSFT"] });
  const lines = linesOf(await preview({ side: "buy", quantity: "20" }));
  expect(lines).toContain("  NO max_notional_usd: 2000 USD, allowed 1000 USD; quantity 10 would pass");
  expect(lines).toContain("  NO symbols: AAPL, allowed MSFT; no value would pass now");
});

it("shows the status of an order", async () => {
  const { ticketOf, execute } = await tradeBench();
  const { order } = await execute(await ticketOf());
  const accountState = (over: object) => formatOrder({ ...order, ...over }, plain)[1];
  expect(accountState({})).toMatch(/^ {2}filled: \S+ of \S+ filled at \S+ USD, fees 0 USD, /);
  expect(accountState({ state: "unknown" })).toMatch(/^ {2}unknown: not yet confirmed by the broker, /);
  expect(accountState({ state: "rejected", broker_status: null })).toMatch(/^ {2}rejected, /);
  expect(accountState({ broker_status: "partially_filled" })).toMatch(/^ {2}partially filled: /);
});
