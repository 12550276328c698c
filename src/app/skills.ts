import { readdirSync, readFileSync } from "node:fs";
import type { Skill, Skills } from "../domain/skills-port.ts";
import { parseFrontmatter } from "../lib/frontmatter.ts";
import { lazy } from "../lib/lazy.ts";

/** Folder of the skills, which the build copies next to the program. */
export const SKILLS_FOLDER = "skills";

/** Parses the file of a skill, with lines as any system ends them. @throws Error if a field or the heading is missing */
export function parseSkill(folder: string, written: string): Skill {
  const file = written.replaceAll("\r\n", "\n");
  const { fields, body } = parseFrontmatter(file);
  const { name, description } = fields;
  const [, title] = /^# (.+)$/m.exec(body) ?? [];
  if (name !== folder) throw new Error(`The name of the skill in ${folder} is "${name}"`);
  if (description === undefined || title === undefined)
    throw new Error(`The skill ${folder} has no description or no heading`);
  return { name, title, description, fields, file, instructions: body };
}

/** Reads the skills at the first use: from next to the program, or when run from source from the project's folder. */
export function createSkills(): Skills {
  const isBundle = !import.meta.url.endsWith(".ts");
  const folder = new URL(isBundle ? `./${SKILLS_FOLDER}/` : `../../${SKILLS_FOLDER}/`, import.meta.url);
  const all = lazy((): readonly Skill[] =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort()
      .map((name) => parseSkill(name, readFileSync(new URL(`${name}/SKILL.md`, folder), "utf8"))),
  );
  return { all };
}
