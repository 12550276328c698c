import type { EarningsReport } from "../../domain/earnings/earnings.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { usTicker } from "./us-ticker.ts";

type Figure = NonNullable<EarningsReport["eps"]["actual"]>;

/** Creates a reported or estimated figure of a provider; null without a value. */
export const figureBy = (
  provider: string,
  basis: Figure["basis"],
  value: number | null | undefined,
): Figure | null => (value === null || value === undefined ? null : { value, basis, by: provider });

/**
 * Returns the ticker of a company. @throws ProviderFailure "unsupported" for funds and tokens, which report no earnings
 */
export function companyTicker(instrument: Instrument, classSeparator: "." | "-" = "."): string {
  if (instrument.asset_class !== "equity")
    throw new ProviderFailure("unsupported", "only companies report earnings");
  return usTicker(instrument, classSeparator);
}
