import type { Bars } from "../../../domain/market/bars.ts";
import { momentumDecision } from "../../decisions/momentum.ts";
import { GRADES } from "../../score/grade.ts";
import { gradeAt, type SignalTape } from "../../score/tape-columns.ts";
import { type Decisions, FLAT, HOLD, LONG } from "../types.ts";

/** The momentum agent's decisions on the grades of the tape: long or nothing. */
export function momentum(bars: Bars, tape: SignalTape): Decisions {
  const wishes = Uint8Array.from({ length: GRADES.length + 1 }, (_, rank) => wishAt(rank));
  const start = Math.min(tape.first, bars.time.length);
  const action = tape.grade.slice(0, bars.time.length).map((rank, i) => (i < start ? HOLD : wishes[rank]!));
  return { start, action };
}

// what it would do with nothing and with something: the one is no order where it holds, the other where it does not
function wishAt(rank: number): number {
  const grade = gradeAt(rank);
  if (momentumDecision({ grade, holds: false }).action === "buy") return LONG;
  return momentumDecision({ grade, holds: true }).action === "sell" ? FLAT : HOLD;
}
