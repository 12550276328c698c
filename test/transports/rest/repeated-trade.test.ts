import { beforeAll, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";

const installation = useInstallation("sample");
let [bearer, account] = ["", ""];
beforeAll(async () => {
  ({ key: bearer, account } = await installation.key("enterprise", ["read", "write", "trade:paper"]));
});

async function post(path: string, key: string, body: object) {
  const response = await fetch(`${installation.url}/api/broker/${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, data: (await response.json()) as Record<string, unknown> };
}
const BUY = { symbol: "BTC-USD", side: "buy", quantity: "0.001" };

it("places one order once its rule allows it, for any number of rejected and repeated requests", async () => {
  const credentials = { api_key: "any", api_secret: "any" };
  await post("connect-broker", "connect", { broker: "paper", credentials });
  const { tradeRules } = installation.app.ports;
  const limit = (max_quantity: string) =>
    tradeRules.setLimits(account, { max_quantity }, "2026-01-15T15:00:00.000Z");
  await limit("0.0001");
  for (const _ of [1, 2])
    expect(await post("execute-trade", "one trade", BUY)).toMatchObject({
      status: 422,
      data: { code: "REFUSED", checks: [{ rule: "max_quantity" }] },
    });
  await limit("1");
  const answers = await Promise.all(Array.from({ length: 8 }, () => post("execute-trade", "one trade", BUY)));
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  const last = await post("execute-trade", "one trade", BUY);
  expect(last.status).toBe(200);
  const orders = await installation.app.ports.tradeRepository.orders(account, { limit: 10 });
  expect(orders.map(({ order_id }) => order_id)).toEqual([
    (last.data.order as { readonly order_id: string }).order_id,
  ]);
  // an idempotency key is bound to one trade
  expect(await post("execute-trade", "one trade", { ...BUY, quantity: "0.002" })).toMatchObject({
    status: 422,
    data: { code: "REFUSED" },
  });
});

it("does not place a second order under the key of a rejected one", async () => {
  const { tradeRules } = installation.app.ports;
  await tradeRules.setLimits(account, { max_quantity: "0.0001" }, "2026-01-15T15:00:00.000Z");
  expect((await post("execute-trade", "changed", BUY)).status).toBe(422);
  await tradeRules.setLimits(account, { max_quantity: "1" }, "2026-01-15T15:00:00.000Z");
  const before = (await installation.app.ports.tradeRepository.orders(account, { limit: 10 })).length;
  await post("execute-trade", "changed", { ...BUY, quantity: "0.002" });
  await post("execute-trade", "changed", BUY);
  expect(await installation.app.ports.tradeRepository.orders(account, { limit: 10 })).toHaveLength(
    before + 1,
  );
});
