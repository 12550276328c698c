/** Instructions for an agent that uses this server, in the format of Agent Skills: one file, SKILL.md. */
export interface Skill {
  readonly name: string;
  readonly title: string;
  /** When to use it. */
  readonly description: string;
  /** All fields of the file, with name and description. */
  readonly fields: Readonly<Record<string, string>>;
  /** The whole file. */
  readonly file: string;
  /** The instructions, without the fields. */
  readonly instructions: string;
}

/** The skills of this server, the same for every caller. */
export interface Skills {
  /** Returns all skills by name. */
  all(): readonly Skill[];
}
