import { expect, it } from "vitest";
import { MARKET_PORTS } from "../../src/domain/ports.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { stoppedClock } from "../support/context.ts";

it("counts every port that the simulated market answers among those that carry its label", () => {
  const { market: _, members: __, ...simulated } = sampleMarket({ clock: stoppedClock() });
  expect(Object.keys(simulated).filter((port) => !(MARKET_PORTS as ReadonlySet<string>).has(port))).toEqual(
    [],
  );
});
