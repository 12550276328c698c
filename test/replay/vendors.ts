import { alpacaVendor } from "./alpaca.ts";
import { binanceVendor } from "./binance.ts";
import { cboeVendor } from "./cboe.ts";
import { coinbaseVendor } from "./coinbase.ts";
import { coingeckoVendor } from "./coingecko.ts";
import { finnhubVendor } from "./finnhub.ts";
import { krakenVendor } from "./kraken.ts";
import { massiveVendor } from "./massive.ts";
import { nasdaqVendor } from "./nasdaq.ts";
import { nasdaqtraderVendor } from "./nasdaqtrader.ts";
import { okxVendor } from "./okx.ts";
import { tiingoVendor } from "./tiingo.ts";
import type { Vendor } from "./vendor.ts";
import { yahooVendor } from "./yahoo.ts";

/** Every vendor that can be replayed, one a line. */
export const VENDORS: readonly Vendor[] = [
  alpacaVendor,
  binanceVendor,
  cboeVendor,
  coinbaseVendor,
  coingeckoVendor,
  finnhubVendor,
  krakenVendor,
  massiveVendor,
  nasdaqVendor,
  nasdaqtraderVendor,
  okxVendor,
  tiingoVendor,
  yahooVendor,
];
