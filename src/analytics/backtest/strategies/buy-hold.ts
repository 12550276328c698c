import type { Bars } from "../../../domain/market/bars.ts";
import { type Decisions, LONG } from "../types.ts";

/** Long from the first close on: said at every bar, so that a run may begin at any. */
export const buyHold = (bars: Bars): Decisions => ({
  start: 0,
  action: new Uint8Array(bars.time.length).fill(LONG),
});
