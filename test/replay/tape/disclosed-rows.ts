import type { World } from "../world.ts";
import { filingsOf, fullName } from "./disclosed.ts";

const WHALES = { buy: "Buy", sell: "Sell", part: "Sell (PARTIAL)" } as const;
const FINNHUB = { buy: "Purchase", sell: "Sale", part: "Sale" } as const;

const tradesOf = (world: World) =>
  filingsOf(world).flatMap(({ rows, ...filing }) => rows.map((row) => ({ ...row, ...filing })));

/** Unusual Whales' rows, newest trade first: until a trade date, of one ticker, as many as asked for. */
export function whaleRows(world: World, query: URLSearchParams) {
  const [date, ticker] = [query.get("date"), query.get("ticker")];
  return tradesOf(world)
    .filter((row) => (date === null || row.traded <= date) && (ticker === null || row.ticker === ticker))
    .sort((a, b) => (a.traded < b.traded ? 1 : -1))
    .slice(0, Number(query.get("limit") ?? 100))
    .map(({ person, ticker: symbol, side, band, traded, filed }) => ({
      name: fullName(person),
      ticker: symbol,
      issuer: "spouse",
      reporter: `Hon. ${fullName(person)}`,
      txn_type: WHALES[side],
      amounts: band.label,
      notes: `Sample of ${symbol} (${symbol}) [ST]`,
      transaction_date: traded,
      filed_at_date: filed,
      member_type: person.chamber,
    }));
}

/** Finnhub's answer about one symbol, filed within two days. */
export function finnhubRows(world: World, query: URLSearchParams) {
  const symbol = query.get("symbol") ?? "";
  const data = tradesOf(world)
    .filter(
      ({ ticker, filed }) => ticker === symbol && filed >= query.get("from")! && filed <= query.get("to")!,
    )
    .map(({ person, side, band, traded, filed }) => ({
      amountFrom: band.low,
      amountTo: band.high,
      assetName: `Sample of ${symbol}`,
      filingDate: filed,
      name: fullName(person),
      ownerType: "Spouse",
      position: person.chamber === "house" ? "representative" : "senator",
      symbol,
      transactionDate: traded,
      transactionType: FINNHUB[side],
    }));
  return { symbol, data };
}
