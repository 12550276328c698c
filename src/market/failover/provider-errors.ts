import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { ProviderAttempt } from "../../domain/market/provenance.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Creates the error for a symbol that no responding provider lists. */
export const noPriceError = ({ symbol }: Instrument): ToolError =>
  new ToolError("NO_PRICE", `No connected provider has a price for ${symbol}`, {
    hint: "The symbol may be delisted or too small. resolve_symbol shows other instruments with that name.",
    data: { symbol, price: null, data: { price: null } },
  });

/** Creates the error for a request to which no provider responded and for which nothing recent enough is cached. */
export const noProviderError = (
  { symbol }: Instrument,
  tried: readonly ProviderAttempt[],
  timeframe?: Timeframe,
): ToolError =>
  new ToolError(
    "UPSTREAM_UNAVAILABLE",
    tried.length === 0
      ? `No provider of ${timeframe === undefined ? "prices" : `${timeframe} bars`} for ${symbol} is connected`
      : `No provider answered for ${symbol}`,
    {
      hint:
        tried.length === 0
          ? "`market-signal doctor` lists the providers and the settings that connect them."
          : tried.every(({ outcome }) => outcome === "down")
            ? "No provider can be reached: check this machine's network, then run `market-signal doctor`."
            : "Retry in a few seconds. `market-signal doctor` and GET /api/v1/health show which providers respond.",
      data: {
        symbol,
        ...(timeframe === undefined && { price: null }),
        tried: tried.map(({ provider, outcome }) => ({ provider, outcome })),
      },
    },
  );
