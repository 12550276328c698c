import { createHash } from "node:crypto";
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
} from "@modelcontextprotocol/server";
import type { Skill as SkillEntry } from "@modelcontextprotocol/server/ext/skills";
import type { Skill } from "../../domain/skills-port.ts";
import { plainText } from "../../lib/plain-text.ts";

/** The extension of MCP that serves skills. @see https://modelcontextprotocol.io/seps/2640-skills-extension */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";
const MARKDOWN = "text/markdown";
const MAX_URI = 200;

const uriOf = ({ name }: Skill): string => `skill://${name}/SKILL.md`;
const sizeOf = ({ file }: Skill): number => Buffer.byteLength(file);

const skillAt = (uri: string, skills: readonly Skill[]) => skills.find((each) => uriOf(each) === uri);

/** Returns the entry of a skill: its fields, and the digest and size of its only file. */
function entryOf(skill: Skill): SkillEntry {
  const { name, description, fields, file } = skill;
  const uri = uriOf(skill);
  const digest = `sha256:${createHash("sha256").update(file).digest("hex")}`;
  return {
    uri,
    frontmatter: { ...fields, name, description },
    resources: [{ uri, digest, size: sizeOf(skill) }],
  };
}

/** Returns the entries of all skills. */
export const listSkills = (skills: readonly Skill[]) => ({ skills: skills.map(entryOf) });

/** Returns the entry of the skill with this URI. @throws ProtocolError -32602 for any other URI */
export function getSkill(uri: string, skills: readonly Skill[]) {
  const skill = skillAt(uri, skills);
  if (skill === undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `No skill has the URI "${plainText(uri, MAX_URI)}"; skills/list returns those that exist`,
    );
  return { skill: entryOf(skill) };
}

/** Returns the files of skills as resources. */
export const skillResources = (skills: readonly Skill[]): readonly Resource[] =>
  skills.map((skill) => ({
    uri: uriOf(skill),
    name: skill.name,
    title: skill.title,
    description: skill.description,
    mimeType: MARKDOWN,
    size: sizeOf(skill),
  }));

/** Returns the file of the skill with this URI; null for any other URI. */
export function readSkill(uri: string, skills: readonly Skill[]): ReadResourceResult | null {
  const skill = skillAt(uri, skills);
  return skill === undefined ? null : { contents: [{ uri, mimeType: MARKDOWN, text: skill.file }] };
}
