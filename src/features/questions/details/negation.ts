import { SECTOR_WORDS } from "./sectors.ts";

/** Kinds of criteria that a question can exclude. */
type CriterionKind = "sector" | "stage" | "grade" | "phase" | "bias" | "tier" | "asset_class" | "call";

export interface Exclusion {
  readonly kind: CriterionKind;
  readonly words: string;
}

const NEGATOR =
  "(?:\\b(?:[Nn]ot(?! (?:only|just|necessarily|sure|too))|[Nn]o|[Nn]ever|[Nn]either|nor|[Nn]othing(?! but)|[Nn]one|[Ww]ithout|[Ee]xcept(?:ing)?(?: for)?|[Ee]xclud(?:e|es|ing)|excl\\.?|[Bb]esides|minus|[Ss]kip|[Ii]gnor(?:e|ing)|leav(?:e|ing) out|[Oo]ther than|rather than|instead of|[Aa]part from|[Aa]side from|[Oo]utside(?: of)?|(?:[Aa]ll|[Aa]nything|[Ee]verything|any|every one) but|[Bb]eyond|[Nn]on|[Ee]x|(?:are|is|do|does)nt)\\b|\\b(?:are|is|do|does|was|were|have|has|should|would|ca|wo)n['’]t\\b)";
/** Words between a negation and the excluded criterion. */
const LINKS =
  "(?:[\\s:-]+(?:in|of|the|an?|any|all|from|for|be|being|are|is|have|having|has|with|on|at|as|to|graded?|rated|ratings?|classified|currently|called|now|want|like|include|including|show|me|give|belong(?:ing)?|stocks?|names?|compan(?:y|ies)|sectors?|phase|yet|those|ones|that|which)){0,6}[\\s:-]+";
const MORE = "\\s*(?:,|\\/|&|\\b(?:or|and|nor)\\b)+\\s*(?:(?:in|the|of|any|a) ){0,2}";

const WORDS: readonly (readonly [CriterionKind, string])[] = [
  ["sector", SECTOR_WORDS],
  ["stage", "stages? ?-?(?:\\d|one|two|three|four)"],
  ["phase", "accumulat\\w+|distribut\\w+|mark-?up|mark-?down"],
  ["bias", "longs?|shorts?|bullish|bearish"],
  ["call", "buys?|buying|sells?|selling|weak|strong"],
  ["tier", "hot"],
  ["asset_class", "crypto\\w*|coins?|tokens?|altcoins?|etfs?|funds?|stocks?|shares|equit\\w+"],
];
const WORD = `\\b(?:${WORDS.map(([, words]) => words).join("|")})\\b`;
/** Case-sensitive: case distinguishes a grade from an article. */
const GRADE =
  "(?:(?:[A-D][+-]|[A-DF])[- ]?(?:graded?|rated)\\b|[A-D][+-](?![\\w+-])|(?:[Gg]raded?|[Rr]ated) (?:[A-Da-d][+-]?|[Ff])(?![\\w+-]))";
const GRADES_LEFT_OUT = new RegExp(
  `${NEGATOR}${LINKS.slice(0, -"[\\s:-]+".length)}\\s+(${GRADE}(?:${MORE}(?:${GRADE}|[A-DF][+-]?(?![\\w+-])))*)`,
  "gu",
);
/** Patterns of any other criteria: `not tech`, `avoid tech`, `tech excluded`. */
const LEFT_OUT = [
  `${NEGATOR}${LINKS}(?:the )?(${WORD}(?:${MORE}${WORD})*)`,
  `\\bavoid(?:ing)? (?:the |all |any )?(${WORD}(?:${MORE}${WORD})*)`,
  `(${WORD})(?: (?:stocks|names|companies|ones))?(?:[- ]free\\b| (?:are |is )?(?:excluded|left out|aside|not included)\\b)`,
].map((source) => new RegExp(source, "giu"));

/** Returns the criteria that a question excludes, and the question without them. */
export function exclusionsIn(text: string) {
  const leftOut: Exclusion[] = [];
  const withoutGrades = text.replace(GRADES_LEFT_OUT, (_, words: string) => {
    leftOut.push({ kind: "grade", words });
    return " ";
  });
  const take = (_: string, words: string) => {
    leftOut.push({ kind: kindOfWords(words), words });
    return " ";
  };
  const rest = LEFT_OUT.reduce((left, pattern) => left.replace(pattern, take), withoutGrades);
  return leftOut.length === 0 ? { leftOut, rest: text } : { leftOut, rest: rest.replace(HANGING, " ") };
}

/** Matches words whose object was removed. */
const HANGING = /\b(?:that|which|with)(?: (?:are|is|do|does|have))? {2,}/giu;

const KINDS = WORDS.map(([kind, words]) => [kind, new RegExp(`^(?:${words})\\b`, "iu")] as const);
const kindOfWords = (words: string): CriterionKind =>
  KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? "asset_class";
