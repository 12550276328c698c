import type { BarHistory } from "../../domain/ports.ts";
import { type LiveBars, type LiveBarsOptions, layoutHistory } from "./layout-history.ts";
import { withExtendedHours } from "./provider-order.ts";

/**
 * Returns sanitized bars of live providers, closed at the requested time; each series comes from one provider. They are
 * cached until a bar closes or a minute passes; as of a past time, for twelve hours. If no provider responds, the last
 * known bars are returned as stale. Bars with extended hours have a cache of their own, which is not preserved over
 * restarts.
 */
export function liveHistory(options: LiveBarsOptions): LiveBars {
  const regular = layoutHistory(options, "regular");
  const extended = layoutHistory(
    {
      ...options,
      memory: { ...options.memory, bars: async () => null, saveBars: () => undefined },
      chain: (instrument) => withExtendedHours(options.chain(instrument)),
    },
    "by_session",
  );
  const history =
    (isBackground: boolean): BarHistory["history"] =>
    (instrument, request) => {
      const bars = request.extendedHours === true ? extended : regular;
      return (isBackground ? bars.background : bars).history(instrument, request);
    };
  return { history: history(false), background: { history: history(true) } };
}
