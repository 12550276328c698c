import { expect, it } from "vitest";
import { MARKET_PORTS } from "../../src/domain/ports.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { stoppedClock } from "../support/context.ts";

it("lists every port of the simulated market among the ports with market data", () => {
  const { market: _, members: __, ...simulated } = sampleMarket({ clock: stoppedClock() });
  expect(Object.keys(simulated).filter((port) => !(MARKET_PORTS as ReadonlySet<string>).has(port))).toEqual(
    [],
  );
});
