import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { ProviderAttempt } from "../../domain/market/provenance.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Every source that spoke says that it lists no such thing. */
export const noPriceError = ({ symbol }: Instrument): ToolError =>
  new ToolError("NO_PRICE", `No connected source has a price of ${symbol}`, {
    hint: "It may be delisted or too small for them. resolve_symbol shows other readings of the name.",
    data: { symbol, price: null, data: { price: null } },
  });

/** No source answered, and nothing recent enough is remembered. */
export const noProviderError = (
  { symbol }: Instrument,
  tried: readonly ProviderAttempt[],
  timeframe?: Timeframe,
): ToolError =>
  new ToolError(
    "UPSTREAM_UNAVAILABLE",
    tried.length === 0
      ? `No source of ${timeframe === undefined ? "prices" : `${timeframe} bars`} for ${symbol} is connected`
      : `No source answers for ${symbol} just now`,
    {
      hint:
        tried.length === 0
          ? "`market-signal doctor` lists the sources and the settings that switch them on."
          : tried.every(({ outcome }) => outcome === "down")
            ? "None can be reached: look at this machine's connection, then at `market-signal doctor`."
            : "Try again in a few seconds; `market-signal doctor` and GET /api/v1/health tell which sources answer.",
      data: {
        symbol,
        ...(timeframe === undefined && { price: null }),
        tried: tried.map(({ provider, outcome }) => ({ provider, outcome })),
      },
    },
  );
