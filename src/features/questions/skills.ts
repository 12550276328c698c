import figures from "./data/figures.json" with { type: "json" };

/** A tool that can answer a question. */
export type Skill = keyof typeof figures;

/** The tools that can answer a question, which `interpret_query` publishes as those it uses. */
export const SKILLS = Object.keys(figures) as readonly Skill[];
