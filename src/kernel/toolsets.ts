export const TOOLSETS = [
  "market",
  "signal",
  "flow",
  "fundamentals",
  "prediction",
  "trading",
  "agents",
  "system",
] as const;
export type Toolset = (typeof TOOLSETS)[number];
/** Toolsets that are listed when a client selects none. */
export const DEFAULT_TOOLSETS: readonly Toolset[] = ["market", "signal", "system"];

export const TOOLSET_DESCRIPTIONS = {
  market: "Prices and history",
  signal: "Scores, grades and their reasons",
  flow: "Options, off-exchange and congressional flow",
  fundamentals: "Company results",
  prediction: "Prediction markets",
  trading: "Connections, tickets and positions",
  agents: "Agent templates composed from the other tools",
  system: "The server itself",
} as const satisfies Record<Toolset, string>;
