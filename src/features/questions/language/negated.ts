import { goesOn, isNext, type Span } from "./span.ts";
import type { Word } from "./words.ts";

const EXCEPTING = /^(except for|aside from|apart from|other than|leave out|leaving out)$/;
const NOT = /^(don't|dont|doesn't|not|never|no|didn't|isn't)$/;
const EXCEPT = /^(except|excepting|excluding|without|besides|barring|ex)$/;
/** What is said of a subject that nothing is wanted of: `don't tell me about X`. */
const WANTED =
  /^(tell|show|give|talk|mention|include|care|want|need|ask|asking|asked|interested|mean|meant|analy[sz]e|report|bother|answer|list|bring|say|mind)$/;
const IGNORED = /^(ignore|skip|exclude|forget|omit|disregard)$/;
/** What stands between such a verb and whom it is about. */
const FILLER =
  /^(me|us|to|about|of|for|in|on|with|the|a|any|anything|news|data|signal|signals|numbers|stock|shares|chart|it|out)$/;
/** What makes a question of a negation: `is it not X`, `X or not X`. */
const ASKS = /^(or|why|is|are|was|does|did|do|if|whether|should|could|would|will|has|have|can|and\/or)$/;
const ALL = /^(anything|everything|all|any|every|anyone|everyone|anybody|everybody|none)$/;
const MOST_BETWEEN = 5;

/** How a span is left out: in a list of such, which a comma goes on with, or by a word of its own. */
type LeftOut = "listed" | "alone";

/** The spans that a text leaves out by its words: `not X`, `anything but X`, `except X and Y`, `don't tell me about X`. */
export function negatedIn(words: readonly Word[], spans: readonly Span[]): ReadonlySet<Span> {
  const negated = new Map<Span, LeftOut>();
  for (const [i, span] of spans.entries()) {
    const left = spans[i - 1];
    const before = left && negated.get(left);
    const out =
      leftOut(words, span.at) ??
      (left && before && goesWith(words, left, span, before === "listed") ? before : null);
    if (out !== null) negated.set(span, out);
  }
  return new Set(negated.keys());
}

function leftOut(words: readonly Word[], at: number): LeftOut | null {
  if (!goesOn(words[at])) return null;
  const near = (back: number) => {
    for (let i = at; i > at - back; i--) if (!isNext(words[i])) return "";
    return words[at - back]?.lower ?? "";
  };
  const [one, two] = [near(1), near(2)];
  if (EXCEPT.test(one) || EXCEPTING.test(`${two} ${one}`)) return "listed";
  if (one === "but") return ALL.test(two) ? "listed" : null;
  if (one === "not") {
    const asked = /^(it|this|that|they)$/.test(two) ? near(3) : two;
    return ASKS.test(asked) ? null : "alone";
  }
  if (one === "no") return at === 1 && !isNext(words[at + 1]) ? "alone" : null;
  for (let back = 1; back <= MOST_BETWEEN; back++) {
    const verb = near(back);
    const [not, before] = [near(back + 1), near(back + 2)];
    if (IGNORED.test(verb)) return /^(|please|and|but|just|now|so)$/.test(not) ? "alone" : null;
    if (WANTED.test(verb)) {
      const says = NOT.test(not) || (/^(do|to|want|really|even)$/.test(not) && NOT.test(before));
      return says && !/^(why|or)$/.test(before) ? "alone" : null;
    }
    if (!FILLER.test(verb)) return null;
  }
  return null;
}

/** Whether a span goes on from one that is left out: `except X, Y and Z`; a comma after `not X` brings what is meant. */
function goesWith(words: readonly Word[], left: Span, right: Span, byComma: boolean): boolean {
  const between = words.slice(left.at + left.length, right.at);
  if (between.length === 0) return byComma && /^\s*,\s*$/.test(words[right.at]?.gap ?? "");
  return between.length === 1 && goesOn(words[right.at]) && /^(and|or|nor|&)$/.test(between[0]!.lower);
}
