import type { Instrument } from "../../src/domain/market/market.ts";
import type { OptionContract } from "../../src/domain/options-flow/options.ts";
import { json, type Reply, type VendorRequest } from "./vendor.ts";
import type { World } from "./world.ts";
import { withoutCrumb } from "./yahoo-crumb.ts";

const seconds = (at: number): number => Math.floor(at / 1_000);

/** Yahoo's options: all expiries and the contracts of one of them. Default: the nearest. Null for any other path. */
export function yahooOptions(
  request: VendorRequest,
  world: World,
  instrumentNamed: (symbol: string) => Instrument | null,
): Reply | null {
  const [, symbol] = /^\/v7\/finance\/options\/([^/]+)$/.exec(request.path) ?? [];
  if (symbol === undefined) return null;
  const refusal = withoutCrumb(request);
  if (refusal !== null) return refusal;
  const instrument = instrumentNamed(symbol);
  const trade = instrument === null ? null : world.trade(instrument.symbol);
  const chain = trade === null ? null : world.chain(instrument!, trade);
  if (trade === null || chain === null) return json({ optionChain: { result: [], error: null } });
  const expiries = [...new Set(chain.contracts.map(({ expiry }) => Date.parse(expiry)))];
  const date = request.query.get("date");
  const expiry = date === null ? expiries[0]! : Number(date) * 1_000;
  const of = (type: OptionContract["type"]) =>
    chain.contracts
      .filter((contract) => contract.type === type && Date.parse(contract.expiry) === expiry)
      .map(contractOf);
  const [calls, puts] = [of("call"), of("put")];
  const result = {
    underlyingSymbol: symbol,
    expirationDates: expiries.map(seconds),
    strikes: calls.map(({ strike }) => strike),
    hasMiniOptions: false,
    quote: { symbol, regularMarketPrice: trade.price, regularMarketTime: seconds(trade.at) },
    options: [{ expirationDate: seconds(expiry), hasMiniOptions: false, calls, puts }],
  };
  return json({ optionChain: { result: [result], error: null } });
}

/** A contract; fields of a contract that never traded are missing or 0. */
function contractOf(contract: OptionContract) {
  const { strike, last, volume, lastTradedAt } = contract;
  return {
    contractSymbol: contract.symbol,
    strike,
    currency: "USD",
    contractSize: "REGULAR",
    expiration: seconds(Date.parse(contract.expiry)),
    lastPrice: last ?? 0,
    bid: contract.bid ?? 0,
    ask: contract.ask,
    change: 0,
    ...(lastTradedAt !== null && { volume, lastTradeDate: seconds(Date.parse(lastTradedAt)) }),
    openInterest: contract.openInterest,
    impliedVolatility: contract.bid === null ? 0.00001 : contract.iv,
  };
}
