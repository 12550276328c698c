import { groupBy } from "../../lib/group-by.ts";
import type { FileInventory, Finding } from "./host.ts";

export const ok = (name: string, detail: string): Finding => ({ name, state: "ok", detail });
export const note = (name: string, detail: string): Finding => ({ name, state: "note", detail });
export const fail = (name: string, detail: string): Finding => ({ name, state: "fail", detail });
export const idle = (name: string, detail: string): Finding => ({ name, state: "ok", detail, idle: true });

/** Returns the provider that a finding is about. */
export const providerOf = ({ name }: Finding): string => name.split(" ")[0]!;
/** Returns the findings of one provider. */
export const findingsOf = (name: string, findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((finding) => providerOf(finding) === name);
export const describePassed = (findings: readonly Finding[]): string =>
  `passed ${findings.filter(({ state }) => state === "ok").length} of ${findings.length} checks`;

/** Merges the failures of one provider with the same reason into one finding, and adds a summary. */
export function groupFindings(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0) return [];
  const byProvider = groupBy(findings, providerOf);
  const groups = groupBy(findings, (finding) =>
    finding.state === "fail" ? `${providerOf(finding)}\n${finding.detail}` : finding.name,
  );
  const merged = [...groups.values()].map((same): Finding => {
    const [first] = same as [Finding];
    if (same.length === 1) return first;
    const provider = providerOf(first);
    return fail(provider, `${same.length} of ${byProvider.get(provider)!.length} checks, ${first.detail}`);
  });
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  const summary = `${findings.length} checks: ${count("ok")} passed, ${count("note")} with notes, ${count("fail")} failed`;
  return [...merged, count("fail") > 0 ? fail("live", summary) : ok("live", summary)];
}

/** Merges skipped files of one folder with the same reason into one finding. */
export function groupSkipped(skipped: FileInventory["skipped"]): readonly Finding[] {
  const folderOf = (file: string): string =>
    file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".";
  const groups = groupBy(skipped, ({ file, reason }) => `${folderOf(file)}\n${reason}`);
  return [...groups.values()].map((files) => {
    const [{ file, reason }] = files as [FileInventory["skipped"][number]];
    const name = files.length === 1 ? file : `${folderOf(file)}: ${files.length} files`;
    return note(name, `skipped: ${reason}`);
  });
}
