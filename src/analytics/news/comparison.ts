import { plainLetters } from "./tokens.ts";

/** Size of each unit of an amount; other units, such as tonnes, have size 1. */
const UNITS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  lakh: 1e5,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  crore: 1e7,
  bn: 1e9,
  billion: 1e9,
};

/** Returns the pattern of an amount with its kind and unit: `a loss of EUR 4.5 mn`. */
const amount = (name: string): string =>
  String.raw`(?:an? )?(?:(?:net |operating |pre-?tax )*(?<${name}Kind>profit|loss) of )?(?:about |around |some )?(?:[a-z]{2,3} ?)?[$€£₹]?(?<${name}>\d[\d,]*(?:\.\d+)?)(?: ?(?:(?<${name}Unit>${Object.keys(UNITS).join("|")})\b|%|per share|[a-z]+(?: per share)?))?`;
/** Words between two amounts of which the second is the earlier one, with room for the period of the first. */
const LINK = String.raw`(?:,? (?:in|for|during) [^.;]{1,60}?)?,? (?:(?:up|down) )?(?:from|compared (?:with|to)|against|versus|vs\.?) (?:last year's )?`;
const TO_FROM = new RegExp(amount("now") + LINK + amount("then"));
const FROM_TO = new RegExp(`from ${amount("then")} to ${amount("now")}`);

/** Figures of which more is good, and figures of which more is bad. */
const GOOD =
  /\b(?:profits?|sales|revenues?|turnover|earnings|eps|ebitd?a?|income|results?|margins?|orders?|backlog|book|intake|dividend|cash flow|deliveries|volumes?|exports|market share|deposits|passengers|traffic|output|bookings)\b/g;
const BAD = /\b(?:loss|losses|costs?|expenses|debts?|combined ratio|unemployment|provisions|claims)\b/g;
/** Figures with no good side. */
const UNJUDGED = /\b(?:employees|personnel|staff|headcount|share capital|number of shares|holding|stake)\b/;
const YEAR = /^(?:19|20)\d\d$/;

/**
 * Compares two amounts of one figure, as in `profit rose to EUR 13.1 mn from EUR 8.7 mn`: 1 if the change is good, -1 if
 * it is bad, 0 if the headline compares no amounts, equal ones, or amounts of a figure it does not know. The amount of
 * a loss counts as negative.
 */
export function comparisonOf(title: string): number {
  const text = plainLetters(title);
  const found = TO_FROM.exec(text) ?? FROM_TO.exec(text);
  if (found === null) return 0;
  const before = text.slice(0, found.index);
  if (UNJUDGED.test(before)) return 0;
  const { now, then, nowKind, thenKind } = found.groups!;
  if (YEAR.test(now!) || YEAR.test(then!)) return 0;
  const good = lastOf(GOOD, before);
  const bad = lastOf(BAD, before);
  if (nowKind === undefined && good === -1 && bad === -1) return 0;
  const isLoss = nowKind === undefined ? bad > good : nowKind === "loss";
  const sign = isLoss ? -1 : 1;
  const earlier = thenKind === undefined ? sign : thenKind === "loss" ? -1 : 1;
  return Math.sign(sign * amountOf(found.groups!, "now") - earlier * amountOf(found.groups!, "then"));
}

const amountOf = (groups: Readonly<Record<string, string | undefined>>, name: "now" | "then"): number =>
  Number(groups[name]!.replaceAll(",", "")) * (UNITS[groups[`${name}Unit`] ?? ""] ?? 1);

const lastOf = (pattern: RegExp, text: string): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1;
