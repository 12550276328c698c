import { plainText } from "../../lib/plain-text.ts";
import type { Paint } from "../terminal.ts";
import type { AgentInstance, AgentRun, AgentSlots, DecisionShown, SavedAgent } from "./automation.ts";

const STATE = { running: "green", stopped: "dim", finished: "cyan", failed: "red" } as const;
const ACTION = { buy: "green", sell: "red", hold: "yellow" } as const;
const WHEN = {
  interval: "counted from its start",
  session_open: "5 minutes after the open of each session",
  utc_midnight: "after the close of each UTC day",
} as const;

export function formatAgent(agent: AgentInstance, paint: Paint): readonly string[] {
  const { agent_id, state, reason, every, runs_at, dry_run, budget, next_run, last_run } = agent;
  return [
    `${paint("bold", agent.agent)}  ${paint(STATE[state], state)}  ${paint("dim", agent_id)}`,
    `  every ${every}, ${WHEN[runs_at]}; ${dry_run ? "dry run: places nothing" : "places orders"}`,
    ...(next_run === null ? [] : [`  next run ${next_run}`]),
    ...(last_run === null ? [] : [paint("dim", `  last run ${last_run}`)]),
    ...(budget === null ? [] : [`  budget ${budget.limit} USD, ${budget.spent} spent, ${budget.left} left`]),
    ...(reason === null ? [] : [paint("yellow", `  ${plainText(reason, 500)}`)]),
  ];
}

/** Lists each decision with its reason, and its order or refusal. */
export function formatRun(run: AgentRun, paint: Paint): readonly string[] {
  const { agent, due_at, outcome, reason, decisions, notes } = run;
  return [
    `${paint("bold", agent)}  due ${due_at}  ${paint(outcome === "failed" ? "red" : "dim", outcome)}`,
    ...decisions.flatMap((decision) => formatDecision(decision, paint)),
    ...(reason === null ? [] : [paint("yellow", `  ${plainText(reason, 500)}`)]),
    ...notes.map((note) => paint("dim", `  ${plainText(note, 500)}`)),
  ];
}

function formatDecision(
  { symbol, action, why, order, refused }: DecisionShown,
  paint: Paint,
): readonly string[] {
  const decisionLine = `  ${plainText(symbol, 40).padEnd(10)}${paint(ACTION[action], action.padEnd(5))} ${plainText(why, 1_000)}`;
  return [
    decisionLine,
    ...(order == null ? [] : [paint("dim", `    order ${order.order_id}`)]),
    ...(refused == null ? [] : [paint("yellow", `    not placed: ${plainText(refused.message, 500)}`)]),
  ];
}

export function formatSavedAgent({ name, definition, in_slot }: SavedAgent, paint: Paint): readonly string[] {
  const { symbols, timeframe, every, sizing, budget_usd, dry_run } = definition;
  const size =
    sizing.quantity === undefined
      ? `${sizing.risk_pct} % at risk`
      : `${sizing.quantity} unit${sizing.quantity === "1" ? "" : "s"}`;
  return [
    `${paint("bold", name)}  ${plainText(symbols.join(","), 500)} ${timeframe}, every ${every}, ${size}${budget_usd === undefined ? "" : `, budget ${budget_usd} USD`}${dry_run ? ", dry run" : ", places orders"}`,
    ...(in_slot ? [] : [paint("yellow", "  does not run: the plan now has fewer slots")]),
  ];
}

interface AgentList {
  readonly agents: readonly AgentInstance[];
  readonly saved: readonly SavedAgent[];
  readonly templates: readonly { readonly name: string; readonly title: string }[];
  readonly slots: AgentSlots;
}

/** Prints started, saved and built-in agents, each under its heading, and the slots in use. */
export const formatAgentList = (
  { agents, saved, templates, slots }: AgentList,
  paint: Paint,
): readonly string[] => [
  ...formatSection("Started", agents, (agent) => formatAgent(agent, paint), paint),
  ...formatSection("Saved", saved, (agent) => formatSavedAgent(agent, paint), paint),
  ...formatSection("Built in", templates, ({ name, title }) => [`${paint("bold", name)}  ${title}`], paint),
  formatSlots(slots),
];

const formatSection = <Item>(
  heading: string,
  all: readonly Item[],
  lines: (item: Item) => readonly string[],
  paint: Paint,
): readonly string[] => (all.length === 0 ? [] : [paint("dim", `${heading}:`), ...all.flatMap(lines), ""]);

export const formatSlots = ({ limit, used, left }: AgentSlots): string =>
  `${used} of ${limit} slots for saved agents used, ${left} left`;
