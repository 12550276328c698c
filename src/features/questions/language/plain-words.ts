import { editDistance } from "../../../lib/edit-distance.ts";
import type { Words } from "../../../market/symbols/mentions/words.ts";

/** Words that tell what is asked, which a letter wrong does not hide. */
const TELLING = `
  account afford allocation analysts announcement bankroll better between bought calendar chart compare compared conference congress
  contracts correlation cheapest crypto definition difference diversified dividend downgrade earnings estimate estimates exchange
  expected explain exposure guidance headline headlines happened hedge holding holdings insider insiders institutional interest
  investing momentum morning movers options oversold overbought performance portfolio position positions premium profit quarter
  quarterly ranking rebalance results retirement revenue screener senator senators sentiment shares should signal spread stocks strongest
  trades trending unusual upgrade versus volume weakest weekly whales
`
  .trim()
  .split(/\s+/);
const KNOWN = new Set(TELLING);
const SHORTEST = 5;

/** Other spellings of small words. */
const SHORT: Readonly<Record<string, string>> = {
  wen: "when",
  wich: "which",
  wat: "what",
  wut: "what",
  wats: "what is",
  whats: "what is",
  "what's": "what is",
  hows: "how is",
  "how's": "how is",
  whos: "who is",
  "who's": "who is",
  "when's": "when is",
  whens: "when is",
  wheres: "where is",
  y: "why",
  u: "you",
  ur: "your",
  r: "are",
  n: "and",
  w: "with",
  shud: "should",
  shld: "should",
  cud: "could",
  im: "i am",
  "i'm": "i am",
  "i've": "i have",
  ive: "i have",
  b4: "before",
  sel: "sell",
  pls: "please",
  plz: "please",
  thx: "thanks",
  ty: "thanks",
  port: "portfolio",
  pf: "portfolio",
  goin: "going",
  doin: "doing",
  beet: "beat",
  shars: "shares",
};

/** A text's words in small letters with a space about each, misspelt ones set right, for patterns to read. */
export function plainWords({ words }: Words): string {
  const known = new Map<string, string>();
  const out = words.flatMap(({ lower, everyday }) =>
    lower.split("_").map((part) => {
      const said = known.get(part) ?? SHORT[part] ?? (everyday ? part : right(part));
      known.set(part, said);
      return said;
    }),
  );
  return ` ${out.join(" ")} `;
}

function right(word: string): string {
  if (word.length < SHORTEST || word.length > 14 || KNOWN.has(word) || !/^[a-z]+$/.test(word)) return word;
  const most = word.length > 8 ? 2 : 1;
  const near = TELLING.filter(
    (one) =>
      one[0] === word[0] && one !== `${word}s` && `${one}s` !== word && editDistance(word, one, most) <= most,
  );
  return near.length === 1 && !ORDINARY.has(word) ? near[0]! : word;
}

/** Words as near to a telling one that are words themselves. */
const ORDINARY = new Set(
  "analysis chase chats charm compete complete confidence convergence counts county exploit explains bright thought brought fought county mourning quarrel squeeze shapes shakes shaves shared sharks stares stacks sticks stocky signals signed single trading traded traders trader tracks whale bitter batter butter letter volumes between betting should shoulder shares hodling building heading headlined hedges wedge ledge expert expect explained exposed results resulting resulted quarters position positive expects".split(
    " ",
  ),
);
