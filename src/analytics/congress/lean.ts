import type { CountedLean, Disclosure, Lean } from "../../domain/congress/congress.ts";
import { rounded } from "../../lib/rounded.ts";

/** Maximum dollars counted per member, so that no member outweighs the others. */
const MAX_USD = 500_000;
/** Minimum absolute score for a named lean. */
const MIN_LEAN_SCORE = 0.2;
const COUNTED: ReadonlySet<Disclosure["asset_type"]> = new Set(["stock", "fund", "crypto", null]);

const plain = (usd: number): string => `$${String(usd).replace(/\B(?=(\d{3})+$)/g, ",")}`;
const ruleOf = (least: number): string =>
  `Score: sum of each member's net buying (band midpoints, or the lower end of an open band; at most ${plain(MAX_USD)} either way), divided by the sum of absolute values. BUYING from ${MIN_LEAN_SCORE} if more members bought than sold and net dollars are above 0, SELLING from -${MIN_LEAN_SCORE} if more sold and net dollars are below 0, else NEUTRAL; NEUTRAL under ${least} members. Options, exchanges and assets without a ticker are excluded.`;

/** Returns the middle of an amount band in dollars; the lower end if it has no upper end. */
const middle = ({ low, high }: NonNullable<Disclosure["amount"]>): number =>
  high === null ? low : (low + high) / 2;

/** Returns the person of a disclosure: the member id, else name and chamber. */
export const personOf = ({ member_id, member, chamber }: Disclosure): string =>
  member_id ?? `${chamber} ${member.toLowerCase()}`;

type LeftOut = keyof CountedLean["left_out"];

/** Returns the disclosures that count, and the number of excluded ones by reason. */
export function countedAmong(trades: readonly Disclosure[]) {
  const left = { exchanges: 0, options: 0, other_assets: 0, no_amount: 0, corrections: 0 };
  const firstFiled = firstFilings(trades);
  const counted: Disclosure[] = [];
  for (const trade of trades) {
    const why = leftOut(trade, firstFiled);
    if (why === null) counted.push(trade);
    else left[why]++;
  }
  return { counted, left };
}

function leftOut(trade: Disclosure, firstFiled: ReadonlyMap<string, string>): LeftOut | null {
  if (trade.type === "exchange") return "exchanges";
  if (trade.asset_type === "option") return "options";
  if (trade.ticker === null || !COUNTED.has(trade.asset_type)) return "other_assets";
  if (trade.amount === null) return "no_amount";
  const before = trade.amended ? firstFiled.get(sameTrade(trade)) : undefined;
  return before !== undefined && before <= trade.filing_date ? "corrections" : null;
}

const sameTrade = (trade: Disclosure): string =>
  [personOf(trade), trade.ticker, trade.type, trade.transaction_date, trade.owner].join("|");

/** Returns the date each trade was first filed, ignoring filings that are corrections. */
function firstFilings(trades: readonly Disclosure[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const trade of trades) {
    if (trade.amended) continue;
    const key = sameTrade(trade);
    const known = first.get(key);
    if (known === undefined || trade.filing_date < known) first.set(key, trade.filing_date);
  }
  return first;
}

/**
 * Returns which way disclosures lean. Each member is one vote, weighted by traded amount, so that neither one large
 * trade nor many small trades of one member decide. All given disclosures count; the caller filters by filing date,
 * when a trade became known. The verdict uses the published score, to four digits; sums are whole dollars.
 * @param minMembers minimum number of members with net buying or selling for a verdict
 */
export function leanOf(trades: readonly Disclosure[], minMembers: number): CountedLean {
  const { counted, left } = countedAmong(trades);
  const nets = new Map<string, number>();
  const sum = { buys: 0, sells: 0, bought: 0, sold: 0 };
  for (const trade of counted) {
    const usd = middle(trade.amount!);
    const sign = trade.type === "buy" ? 1 : -1;
    sum[sign > 0 ? "buys" : "sells"]++;
    sum[sign > 0 ? "bought" : "sold"] += usd;
    nets.set(personOf(trade), (nets.get(personOf(trade)) ?? 0) + sign * usd);
  }
  const votes = [...nets.values()].map((net) => Math.max(-MAX_USD, Math.min(MAX_USD, net)));
  const size = votes.reduce((all, vote) => all + Math.abs(vote), 0);
  const score = size === 0 ? null : rounded(votes.reduce((all, vote) => all + vote, 0) / size, 4);
  const buying = votes.filter((vote) => vote > 0).length;
  const selling = votes.filter((vote) => vote < 0).length;
  const members = { buying, selling, even: votes.length - buying - selling };
  const [bought, sold] = [Math.round(sum.bought), Math.round(sum.sold)];
  return {
    ...verdictOf(score, members, { net: bought - sold, least: minMembers }),
    lean: score,
    members,
    trades: { buys: sum.buys, sells: sum.sells },
    usd: { bought, sold, net: bought - sold },
    left_out: left,
    rule: ruleOf(minMembers),
  };
}

function verdictOf(
  score: number | null,
  { buying, selling }: CountedLean["members"],
  { net, least }: { readonly net: number; readonly least: number },
): Pick<Lean, "signal" | "reason"> {
  const neutral = (reason: string) => ({ signal: "NEUTRAL" as const, reason });
  if (score === null) return neutral("No eligible trade was filed");
  if (buying + selling < least)
    return neutral(`Needs ${least} net buyers or sellers, has ${buying + selling}`);
  if (Math.abs(score) < MIN_LEAN_SCORE) return neutral("Buying and selling nearly balance");
  if (score > 0 && buying > selling && net > 0) return { signal: "BUYING", reason: null };
  if (score < 0 && selling > buying && net < 0) return { signal: "SELLING", reason: null };
  const dollars = `${net < 0 ? "-" : ""}${plain(Math.abs(net))}`;
  return neutral(
    `Members and dollars disagree: ${buying} members bought and ${selling} sold, net ${dollars} (with at most ${plain(MAX_USD)} a member the lean is ${score})`,
  );
}
