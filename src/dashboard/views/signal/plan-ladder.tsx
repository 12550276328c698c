import { watchingText } from "../../../lib/levels-side.ts";
import { fixed, price, signed, signedPercent } from "../format.ts";
import type { Plan } from "./facts.ts";

interface PlanLadderProps {
  readonly plan: Plan;
  /** Price from which the distance of each level is stated; null: none. */
  readonly from: number | null;
}

const inR = (multiple: number | undefined): string => `${signed(multiple, 1)} R`;

/** Returns a zone as two texts that do not break, or the one price of a zone without width. */
const entryText = ({ low, high }: Plan["entry"]) =>
  low === high ? (
    price(low)
  ) : (
    <>
      <span>{price(low)} –</span> <span>{price(high)}</span>
    </>
  );

/** The levels of a plan from the highest to the lowest, each with its distance and R-multiple. */
export function PlanLadder({ plan, from }: PlanLadderProps) {
  const { entry, stop, targets, side } = plan;
  const distance = (level: number) => (from === null ? "" : signedPercent((level / from - 1) * 100));
  const rows = [
    { name: "Stop", tone: "down", text: price(stop), away: distance(stop), r: inR(-1) },
    {
      name: "Entry zone",
      tone: "",
      text: entryText(entry),
      away: from !== null && from >= entry.low && from <= entry.high ? "inside" : "",
      r: "",
    },
    ...targets.map((target, index) => ({
      name: `Target ${index + 1}`,
      tone: "up",
      text: price(target),
      away: distance(target),
      r: inR(plan.multiples[index]),
    })),
  ];
  return (
    <>
      {plan.basis === "watch" && <p className="muted">Levels {watchingText(side)}.</p>}
      <dl className="ladder num" aria-label="Plan">
        {(side === "LONG" ? rows.reverse() : rows).map(({ name, tone, text, away, r }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={tone}>{text}</dd>
            <dd className="muted">{away}</dd>
            <dd>{r}</dd>
          </div>
        ))}
        <div className="ladder-sum">
          <dt>Reward to risk of target 1</dt>
          <dd>{fixed(plan.rewardToRisk, 2)}</dd>
        </div>
      </dl>
      <p className="muted num plan-note">
        {from !== null && `% from the price ${price(from)}. `}1 R is the distance from the zone's worse edge,{" "}
        {price(side === "LONG" ? entry.high : entry.low)}, to the stop; reward to risk too is reckoned from
        there.
      </p>
    </>
  );
}
