import type { Reply, Vendor, VendorRequest } from "./vendor.ts";
import type { World } from "./world.ts";

/** A replacement name in the vendor's notation, and the word that identifies a response about it. */
interface Swap {
  readonly written: string;
  readonly word: string;
}

const PAIR = /^([A-Z]:)?([A-Z0-9]+?)([-/_]?)(USDT|USDC|USD)$/i;
/** Common tickers of coins with other names. */
const TICKERS: Readonly<Record<string, string>> = { XBT: "BTC", XDG: "DOGE" };

/**
 * The vendor's correct response about another instrument than the requested one. Null if there is none, or if the
 * response names no instrument, as no client could then notice.
 */
export function answerForAnother(vendor: Vendor, request: VendorRequest, world: World): Reply | null {
  const truth = vendor.answer(request, world);
  if (truth.status !== 200) return null;
  for (const { other, word } of misreadings(request, world)) {
    const reply = vendor.answer(other, world);
    const names = (body: string) => body.toUpperCase().includes(word.toUpperCase());
    if (reply.status === 200 && names(reply.body) && !names(truth.body)) return reply;
  }
  return null;
}

function* misreadings(request: VendorRequest, world: World) {
  const segments = request.path.split("/");
  for (const [index, segment] of segments.entries()) {
    const swap = swapped(segment, world);
    if (swap !== null) {
      const path = segments.with(index, swap.written).join("/");
      yield { other: { ...request, path }, word: swap.word };
    }
  }
  for (const [name, value] of request.query) {
    const swap = swapped(value, world);
    if (swap === null) continue;
    const query = new URLSearchParams(request.query);
    query.set(name, swap.written);
    yield { other: { ...request, query }, word: swap.word };
  }
}

/** Another instrument's name in the same notation; null for a text that is not an instrument's name. */
function swapped(text: string, world: World): Swap | null {
  const [, name = "", ending = ""] = /^(.+?)(\.json)?$/.exec(text) ?? [];
  const inCase = (word: string) => (name === name.toLowerCase() ? word.toLowerCase() : word);
  const [, before = "", base = "", between = "", quote = ""] = PAIR.exec(name) ?? [];
  const coin = TICKERS[base.toUpperCase()] ?? base.toUpperCase();
  if (world.instrument(`${coin}-USD`) !== null) {
    const word = inCase(coin === "ETH" ? "SOL" : "ETH");
    return { written: `${before}${word}${between}${quote}${ending}`, word };
  }
  const ticker = name.toUpperCase().replace(/[-/_]/g, ".");
  if (world.instrument(ticker) !== null || world.instrument(`${ticker}.US`) !== null) {
    const word = inCase(ticker === "MSFT" ? "AAPL" : "MSFT");
    return { written: `${word}${ending}`, word };
  }
  const spelled = (listed: string) => listed.toLowerCase().replaceAll(" ", "-") === name;
  if (
    world.instruments().some(({ asset_class, name: listed }) => asset_class === "crypto" && spelled(listed))
  ) {
    const word = name === "bitcoin" ? "ethereum" : "bitcoin";
    return { written: `${word}${ending}`, word };
  }
  return null;
}
