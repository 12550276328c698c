import { alpacaVendor } from "./alpaca.ts";
import { alphavantageVendor } from "./alphavantage.ts";
import { binanceVendor } from "./binance.ts";
import { cboeVendor } from "./cboe.ts";
import { cnbcVendor } from "./cnbc.ts";
import { coinbaseVendor } from "./coinbase.ts";
import { coingeckoVendor } from "./coingecko.ts";
import { finnhubVendor } from "./finnhub.ts";
import { finraVendor } from "./finra.ts";
import { fmpVendor } from "./fmp.ts";
import { gdeltVendor } from "./gdelt.ts";
import { globenewswireVendor } from "./globenewswire.ts";
import { houseclerkVendor } from "./houseclerk.ts";
import { kadoaVendor } from "./kadoa.ts";
import { kalshiVendor } from "./kalshi.ts";
import { krakenVendor } from "./kraken.ts";
import { legislatorsVendor } from "./legislators.ts";
import { manifoldVendor } from "./manifold.ts";
import { massiveVendor } from "./massive.ts";
import { nasdaqVendor } from "./nasdaq.ts";
import { nasdaqfeedVendor } from "./nasdaqfeed.ts";
import { nasdaqtraderVendor } from "./nasdaqtrader.ts";
import { okxVendor } from "./okx.ts";
import { polymarketVendor } from "./polymarket.ts";
import { prnewswireVendor } from "./prnewswire.ts";
import { secVendor } from "./sec.ts";
import { tiingoVendor } from "./tiingo.ts";
import { tradierVendor } from "./tradier.ts";
import { unusualwhalesVendor } from "./unusualwhales.ts";
import type { Vendor } from "./vendor.ts";
import { yahooVendor } from "./yahoo.ts";
import { yahoofeedVendor } from "./yahoofeed.ts";

/** Every vendor that can be replayed, one per line. */
export const VENDORS: readonly Vendor[] = [
  alpacaVendor,
  alphavantageVendor,
  binanceVendor,
  cboeVendor,
  cnbcVendor,
  coinbaseVendor,
  coingeckoVendor,
  finnhubVendor,
  finraVendor,
  fmpVendor,
  gdeltVendor,
  globenewswireVendor,
  houseclerkVendor,
  kadoaVendor,
  kalshiVendor,
  krakenVendor,
  legislatorsVendor,
  manifoldVendor,
  massiveVendor,
  nasdaqVendor,
  nasdaqfeedVendor,
  nasdaqtraderVendor,
  okxVendor,
  polymarketVendor,
  prnewswireVendor,
  secVendor,
  tiingoVendor,
  tradierVendor,
  unusualwhalesVendor,
  yahooVendor,
  yahoofeedVendor,
];
