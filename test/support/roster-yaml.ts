import type { Legislator, Roster, Term } from "../../src/domain/congress/provider.ts";

const PARTY: Readonly<Record<string, "D" | "R" | "I">> = { Democrat: "D", Republican: "R", Independent: "I" };

/** The roster from its YAML form with the fields needed for matching; party changes within a term are omitted. */
export function rosterOfYaml(yaml: string): Roster {
  const field = (text: string, name: string) =>
    new RegExp(`^ +(?:- )?${name}: '?([^'\\n]+)'?$`, "m").exec(text)?.[1] ?? null;
  const legislators = yaml
    .split(/^- id:$/m)
    .slice(1)
    .map((block): Legislator => {
      const [head = "", terms = ""] = block.split(/^ {2}terms:$/m);
      const name = head.slice(head.indexOf("  name:"));
      const firsts = [
        field(name, "first"),
        field(name, "nickname"),
        field(name, "official_full")?.split(" ")[0],
      ];
      return {
        id: field(head, "bioguide")!,
        last: field(name, "last")!,
        firsts: firsts.filter((one): one is string => one != null),
        terms: terms
          .split(/^ {2}- type: /m)
          .slice(1)
          .map(
            (term): Term => ({
              chamber: term.startsWith("sen") ? "senate" : "house",
              start: field(term, "start")!,
              end: field(term, "end")!,
              state: field(term, "state")!,
              party: PARTY[field(term, "party")!] ?? null,
            }),
          ),
      };
    });
  return { legislators };
}

/** Rows of CSV text keyed by the header; quoted values may contain commas. */
export function parseCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [head, ...lines] = text.trim().split(/\r?\n/);
  const names = head!.split(",");
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, bare]) => quoted ?? bare!,
    );
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""]));
  });
}
