import type { Bars } from "../../../domain/market/bars.ts";
import { momentumDecision } from "../../decisions/momentum.ts";
import { GRADES, type Grade, gradeOf } from "../../score/grade.ts";
import { gradeAt, gradeRank, type SignalTape } from "../../score/tape-columns.ts";
import { type Decisions, FLAT, HOLD, LONG, SHORT } from "../types.ts";
import type { Side } from "./decide.ts";

/**
 * Goes long at grade `enter` or better, closes at `exit` or worse, and otherwise keeps its position. With both sides,
 * it goes short if the mirrored score (100 - score) earns `enter`, and closes the short if it earns `exit`. Without a
 * grade nothing changes.
 */
export function signalGrades(
  bars: Bars,
  { enter, exit, side }: { readonly enter: Grade; readonly exit: Grade; readonly side: Side },
  tape: SignalTape,
): Decisions {
  const action = new Uint8Array(bars.time.length);
  const start = Math.min(tape.first, action.length);
  const entry = gradeRank(enter);
  const end = gradeRank(exit);
  for (let i = start, held = HOLD; i < action.length; i++) {
    const rank = tape.grade[i]!;
    if (rank === 0) continue;
    const mirrored = side === "both" ? gradeRank(gradeOf(1 - tape.score[i]! / 50)) : rank;
    if (rank >= entry) action[i] = held = LONG;
    else if (side === "both" && mirrored >= entry) action[i] = held = SHORT;
    else if (held === SHORT ? mirrored <= end : held === LONG && rank <= end) action[i] = held = FLAT;
  }
  return { start, action };
}

/** Returns the momentum agent's decisions for the grades of the tape; long only. */
export function momentum(bars: Bars, tape: SignalTape): Decisions {
  const actions = Uint8Array.from({ length: GRADES.length + 1 }, (_, rank) => actionAtRank(rank));
  const start = Math.min(tape.first, bars.time.length);
  const action = tape.grade.slice(0, bars.time.length).map((rank, i) => (i < start ? HOLD : actions[rank]!));
  return { start, action };
}

/** Evaluates the agent with and without a position: it only buys without one and only sells with one. */
function actionAtRank(rank: number): number {
  const grade = gradeAt(rank);
  if (momentumDecision({ grade, holds: false }).action === "buy") return LONG;
  return momentumDecision({ grade, holds: true }).action === "sell" ? FLAT : HOLD;
}
