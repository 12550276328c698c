import { beforeAll, describe, expect, it } from "vitest";
import type { Principal } from "../../../src/domain/accounts/access.ts";
import { unambiguousSymbol } from "../../../src/domain/market/market.ts";
import { invoke } from "../../../src/kernel/invoke.ts";
import { pricePlaces } from "../../../src/lib/price-places.ts";
import { connectBroker } from "../../../tools/connect-broker.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { previewTrade } from "../../../tools/preview-trade.ts";
import { useInstallation } from "../../support/installation.ts";
import { movingClock } from "../../support/store.ts";

describe("the levels of a signal", () => {
  const installation = useInstallation(
    "sample",
    {},
    // on a day on which no price has passed the stop of its signal: such a preview is refused
    { clock: movingClock(new Date("2026-07-01T14:00:00.000Z")) },
  );
  let principal: Principal;
  beforeAll(async () => {
    const { account, plan } = await installation.key("enterprise", ["read", "write", "trade:paper"]);
    principal = { account, plan, scopes: ["read", "write", "trade:paper"] };
    const credentials = { api_key: "any", api_secret: "any" };
    await invoke(connectBroker, { broker: "paper", credentials }, call());
  });
  const call = () => ({ ports: installation.app.ports, principal, transport: "test", nested: true });

  it("are prices of a preview unchanged, as JSON numbers, for every sample symbol", async () => {
    const members = installation.app.ports.symbols.members();
    expect(members.length).toBeGreaterThan(50);
    for (const instrument of members) {
      const symbol = unambiguousSymbol(instrument);
      const { signal } = (await invoke(getSignal, { symbol, detail: "full" }, call())).data;
      const { entry_zone, stop_loss, targets } = signal;
      const isLong = targets[0]! > stop_loss;
      const entry = isLong ? entry_zone.high : entry_zone.low;
      const order = {
        symbol,
        side: isLong ? "buy" : "sell",
        quantity: 1,
        type: "limit",
        limit_price: entry,
        stop_loss,
        take_profit: targets[0]!,
      } as const;
      const { intent } = await invoke(previewTrade, order, call());
      expect(intent, symbol).toMatchObject({
        quantity: "1",
        limit_price: String(entry),
        stop_loss: String(stop_loss),
        take_profit: String(targets[0]),
      });
      const places = (price: number) => String(price).split(".")[1]?.length ?? 0;
      for (const price of [entry_zone.low, entry_zone.high, stop_loss, ...targets])
        expect(places(price), `${symbol} ${price}`).toBeLessThanOrEqual(
          pricePlaces(price, instrument.asset_class),
        );
    }
  });
});
