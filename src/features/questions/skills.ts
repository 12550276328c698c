import figures from "./data/figures.json" with { type: "json" };

/** Name of a tool that can answer a question. */
export type Skill = keyof typeof figures;

/** Tools that can answer a question; `interpret_query` publishes them as the tools it uses. */
export const SKILLS = Object.keys(figures) as readonly Skill[];
