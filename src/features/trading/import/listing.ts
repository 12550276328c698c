import { plainText } from "../../../lib/plain-text.ts";
import { foreignCurrencyIn } from "./columns.ts";
import type { Refusal } from "./row-kinds.ts";
import { cellsOf, type ReadRow, type Table } from "./tables.ts";

const MAX_ECHO = 30;
const DOLLARS = /^(USD|US\$|\$|US ?dollars?|U\.S\. dollars?|USD ?\(\$\)|\$ ?USD)$/i;

/** Refuses rows whose cost is in another currency than the US dollar, or whose listing is outside the US. */
export function currencyRefusal({ cells, currency }: ReadRow, table: Table): Refusal | null {
  const { columns, currencies } = table.header;
  const named = cellsOf(cells, columns, "currency");
  const stated = named.length > 0 ? named : cellsOf(cells, columns, "accountCurrency");
  const other = stated.find((text) => !DOLLARS.test(text));
  if (other !== undefined) return otherCurrency(other);
  const amounts = (["average", "total"] as const).flatMap((column) => columns[column] ?? []);
  const signed = amounts.map((at) => foreignCurrencyIn(cells[at] ?? "")).find((one) => one !== null);
  if (signed !== undefined && signed !== null) return otherCurrency(signed);
  const usable = amounts.filter((at) => !currencies.has(at));
  const header = amounts.map((at) => currencies.get(at)).find((one) => one !== undefined);
  if (usable.length === 0 && header !== undefined) return otherCurrency(header);
  if (stated.length === 0 && currency !== null) return otherCurrency(currency);
  if (stated.length === 0 && table.preset.currencyUnnamed)
    return {
      kind: "currency",
      why: "The export does not name the currency of the account: add a column currency with USD if it is the US dollar",
    };
  const exchange = cellsOf(cells, columns, "exchange").find(
    (text) => isForeignExchange(text) || (stated.length === 0 && !isUsExchange(text)),
  );
  const country = cellsOf(cells, columns, "country").find((text) => !UNITED_STATES.test(text));
  if (exchange === undefined && country !== undefined && stated.length === 0)
    return {
      kind: "listing",
      why: `Its country is ${plainText(country, MAX_ECHO)}: add a column currency with USD if it is a US listing`,
    };
  return exchange === undefined
    ? null
    : {
        kind: "listing",
        why: `Listed on ${plainText(exchange, MAX_ECHO)}; only US listings are imported${isForeignExchange(exchange) ? "" : ": add a column currency with USD if it is one"}`,
      };
}

const UNITED_STATES =
  /^\W*(us|usa|u\.s\.a?\.?|united states.*|america|north america|global|worldwide|n\/?a|-*)\W*$/i;

const otherCurrency = (currency: string): Refusal => ({
  kind: "currency",
  why: `The currency is not the US dollar but ${plainText(currency, MAX_ECHO)}`,
});

/** Cities and countries of exchanges outside the US, as brokers write them in words. */
const FOREIGN_PLACE =
  /\b(london|frankfurt|xetra|stuttgart|munich|berlin|paris|amsterdam|brussels|lisbon|dublin|milan|italiana|madrid|zurich|swiss|vienna|stockholm|copenhagen|oslo|helsinki|warsaw|istanbul|moscow|toronto|canadian|tokyo|osaka|japan|hong ?kong|shanghai|shenzhen|taiwan|korea|singapore|india|bombay|mumbai|sydney|australian?|new zealand|johannesburg|tel aviv|mexico|sao paulo|brazil|euronext|deutsche|b(oe|ö)rse|nordic|europe|ventures?|tadawul|dubai)\b/i;
/** Exchanges outside the US, as brokers write them. */
const FOREIGN_EXCHANGE =
  /^(LSE|LSEETF|LON|XLON|TSX|TSXV|TSE|XTSE|VENTURE|NEO|XETRA|IBIS2?|FWB2?|ETR|FRA|GETTEX|TRADEGATE|AEB|AMS|SBF|PAR|ENEXT|EURONEXT.*|EBS|SIX|SWX|ASX|HKEX|SEHK|HKG|TYO|TSEJ|NSE|BSE|JSE|BVME|BIT|MIL|BM|BME|SFB|STO|CPH|CSE|OSE|OSL|HEL|HEX|VSE|WSE|MEXI|BMV|BVMF|B3|SGX|KSE|KRX|TWSE|SSE|SZSE)$/i;
/** Exchanges of the US and venues of coins, as brokers and ISO 10383 write them. */
const US_EXCHANGE =
  /^(nasdaq.*|nms|ngs|ncm|island|nyse.*|new york.*|american stock exchange|amex|arca.*|arcx|bats.*|.*\bbzx.*|edgx|byx|iexg?|drctedge|memx|smart|otc.*|pink.*|pnk|grey.*|us|usa|u\.s\.a?\.?|united states.*|X[A-Z]{3}|u[nwqrapf]|.*crypto.*|coinbase.*|kraken|binance.*|gemini|bitstamp|bitfinex|paxos|zerohash|okx|bybit|kucoin|robinhood|n\/?a|none|-*)$/i;
const isUsExchange = (text: string): boolean => US_EXCHANGE.test(text.trim());
/** Market identifier codes of ISO 10383, of which only these are exchanges of the US. */
const FOREIGN_MIC = /^(?!XNAS|XNYS|XASE|XBOS|XPHL|XCHI|XCBO|XOTC|XNCM|XNGS|XNMS|XPSX|XADF)X[A-Z]{3}$/i;
const isForeignExchange = (text: string): boolean =>
  FOREIGN_MIC.test(text.trim()) || FOREIGN_EXCHANGE.test(text.trim()) || FOREIGN_PLACE.test(text);
