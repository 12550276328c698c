import { stemOf } from "./tokens.ts";

const stemSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/).map(stemOf));

const GOOD = stemSet(`
  accelerate accolade accretive achieve acclaim advance ahead attractive award beat beats best boost boom bounce breakout
  breakthrough brighten brisk bullish bull buoyant buyback climb comeback confident cure double doubled ease efficient
  eased encourage endorse exceed excel expand expansion extend favourable favorable flourish gain gains gained growth grow
  grew healthy high higher highest hike-dividend hope hopeful improve improvement inflow innovative jump landmark lead
  leap lift lucrative milestone momentum oversubscribed outpace outperform outperformance overweight optimism optimistic
  partnership peak pick pop popular positive premium profit profitable profitability progress promising prosper prosperous
  rally rallies rallied raise rebound record recover recovery relief resilient resume reward rich rise rises rose rising
  robust rocket settle-favourably skyrocket smart soar solid spike stabilise stabilize stellar strength strengthen strong
  stronger strongest succeed success successful superior support surge surpass swell tailwind thrive top topped tops
  triple triumph turnaround undervalued unlock upbeat upgrade upside uptick uptrend upward vibrant win wins winner won
  zoom approval approve approved cheer buy accumulate green firm firms up
`);
const BAD = stemSet(`
  abandon accuse alarm allegation antitrust arrest attack avoid bad bankrupt bankruptcy ban barred bear bearish below
  blow boycott breach bribe bribery burden caution cautious collapse complain complaint concern concerns contraction
  contract-loss correction corruption crackdown crash crisis critical crumble curb cut cuts cyberattack damage danger
  deadlock decline declined declines default defect delay delist delayed deficit demote deteriorate dip dips disappoint
  disappointing disappointment discount dismal dispute disrupt disruption distress dive doubt down downbeat downgrade
  downside downturn downward drag drain dragged drop drops dropped dump erode erosion evict exodus exposed fail fails
  failed failure fall falls fallen fell falling fear fears fine fined flop force-majeure fraud freeze grim halt halted
  hack hacked halve hamper headwind hit hurt illegal impair impairment insolvent insolvency investigate investigation
  jitters jeopardy lag laggard lapse lawsuit layoff layoffs lose loses lose-out losing loss losses lost low lower lowest
  lowers manipulate meltdown misconduct miss misses missed mislead negative nosedive outage outflow outrage overvalued
  panic penalty penalise penalize pessimism pessimistic plague plummet plunge poor pressure probe problem protest pullback
  quit raid recall recession red reject rejected resign restate retreat risk risky rout sanction scandal scam scrap scrutiny
  sell selloff sell-off setback shed sheds shock short shortage shortfall shrink shrank shut shutdown sink sinks sank slash
  slide slides slid slip slips slipped slow slowdown slower sluggish slump slumps stagnant stall steep struggle sue sued
  suffer suspend suspension tank tanks terminate threat threaten trouble tumble tumbles turmoil uncertain uncertainty
  underperform underweight undermine unrest violate violation volatile vulnerable wane warn warning weak weaken weaker
  weakness woe worries worry worse worsen worst wipe writedown write-off
`);
/** Things of which less is good and more is bad. */
const BURDENS = stemSet(`
  loss losses debt debts deficit cost costs inflation unemployment jobless claims default defaults delinquency provisions
  npa npas churn outflow outflows tariff tariffs dilution expense expenses
`);
const LESS = stemSet(
  "cut cuts narrow narrows narrowed shrink shrinks fall falls fell decline declines drop drops ease eased trim pare reduce slow lower",
);
const MORE = stemSet(
  "widen widens widened rise rises rose grow grew jump surge climb increase raise soar mount swell higher",
);
const NEGATORS: ReadonlySet<string> = new Set(
  "no not never without cannot can't won't isn't don't doesn't didn't aren't neither nor hardly fails fail failed unable".split(
    " ",
  ),
);
/** Words before one within which a negator turns it around. */
const REACH = 3;

/** How a word list reads a headline: good words less bad ones over both, -1 to 1; null without a word of either kind. */
export function lexiconScore(tokens: readonly string[]): number | null {
  let [good, bad] = [0, 0];
  const stems = tokens.map(stemOf);
  const burdened = stems.findIndex((stem) => BURDENS.has(stem));
  stems.forEach((stem, i) => {
    const sign = signOf(stem, burdened !== -1 && Math.abs(burdened - i) <= REACH, i === burdened);
    if (sign === 0) return;
    const turned = tokens.slice(Math.max(0, i - REACH), i).some((token) => NEGATORS.has(token));
    if (sign > 0 !== turned) good++;
    else bad++;
  });
  return good + bad === 0 ? null : (good - bad) / (good + bad);
}

/** Beside a burden, what makes it less is good and what makes it more is bad; the burden itself then says nothing. */
function signOf(stem: string, besideBurden: boolean, isBurden: boolean): number {
  if (besideBurden && !isBurden && LESS.has(stem)) return 1;
  if (besideBurden && !isBurden && MORE.has(stem)) return -1;
  if (GOOD.has(stem)) return 1;
  return BAD.has(stem) ? -1 : 0;
}
