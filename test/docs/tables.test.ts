import { describe, expect, it } from "vitest";
import { PLAN_SCHEDULES } from "../../src/access/plans.ts";
import { catalogue } from "../../src/app/catalogue.ts";
import { describeConfig } from "../../src/app/config.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts } from "../../src/app/provider-table.ts";
import { termsOf } from "../../src/app/providers/provider-terms.ts";
import { createSkills } from "../../src/app/skills.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { CLIENTS, clientConfig } from "../../src/transports/cli/mcp-config.ts";
import { documentText, withSection } from "./documents.ts";

const tools: readonly Tool[] = Object.values(catalogue);
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const firstSentence = (text: string): string => `${text.split(/[.:] /)[0]!.replace(/\.$/, "")}.`;
/** The document with its generated section up to date; `vitest -u` writes it. */
const matchesFile = (path: string, section: string, content: string) =>
  expect(withSection(documentText(path), section, content)).toMatchFileSnapshot(`../../${path}`);

describe("the generated tables", () => {
  it("list every tool with its plan and route", async () => {
    const rows = [...tools]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, plan, route, description, topics = [] }) => [
        `\`${name}\``,
        plan,
        `\`${route}\``,
        firstSentence(description),
        topics.join(", "),
      ]);
    const head = ["Tool", "Plan", "Route", "What it does", "Words by which it is found"];
    await matchesFile("docs/tools.md", "tools", table(head, rows));
  });

  it("list every view with its tools and those that it may call", async () => {
    const named = (names: readonly string[]) =>
      names.length === 0
        ? "none"
        : [...new Set(names)]
            .sort()
            .map((name) => `\`${name}\``)
            .join(", ");
    const viewed = tools.flatMap(({ name, view }) => (view === undefined ? [] : { name, view }));
    const rows = [...new Set(viewed.map(({ view }) => view.name))].sort().map((view) => {
      const own = viewed.filter((one) => one.view.name === view);
      const called = own.flatMap((one) => one.view.calls ?? []);
      return [`\`${view}\``, named(own.map(({ name }) => name)), named(called)];
    });
    await matchesFile("docs/views.md", "views", table(["View", "Tools", "May call"], rows));
  });

  it("list every plan with its limits and slots in both schedules", async () => {
    const limit = ({ quota, window }: { quota: number; window: number }) =>
      `${quota.toLocaleString("en-US")} ${window === 60 ? "a minute" : window === 3_600 ? "an hour" : "a day"}`;
    const { A, B } = PLAN_SCHEDULES;
    const rows = (Object.keys(A.plans) as (keyof typeof A.plans)[]).map((plan) => [
      plan === "open" ? "without a key" : plan,
      ...[A, B].map(({ plans }) => `${limit(plans[plan].burst)}, ${limit(plans[plan].daily)}`),
      [A, B].map(({ plans }) => plans[plan].agent_slots ?? 0).join(", "),
    ]);
    const head = ["Plan", "Schedule A", "Schedule B", "Agent slots A, B"];
    await matchesFile("docs/configuration.md", "plans", table(head, rows));
  });

  it("list every setting with its default", async () => {
    const rows = describeConfig({})
      .filter(({ name }) => !name.startsWith("PROVIDER_URL_"))
      .map(({ name, value, purpose }) => [
        `\`${name}\``,
        name === "DATA_DIR" ? "`~/.market-signal`" : value === null ? "" : `\`${value}\``,
        purpose,
      ]);
    const override = [
      "`PROVIDER_URL_<NAME>`",
      "",
      "Replaces the URL of a provider, for example with a replay server",
    ];
    await matchesFile(
      "docs/configuration.md",
      "settings",
      table(["Setting", "Default", "Purpose"], [...rows, override]),
    );
  });

  it("list every provider with its terms", async () => {
    const rows = PROVIDER_NAMES.map((name) => {
      const { title, gives, outage, setting, secondSetting, recorded }: ProviderFacts = PROVIDERS[name];
      const second = secondSetting === undefined ? "" : ` and \`${secondSetting}\``;
      return [
        `${title} (\`${name}\`)`,
        outage === undefined ? gives : `${gives}; it ${outage}`,
        setting === null ? "" : `\`${setting}\`${second}`,
        termsOf(name),
        recorded,
      ];
    });
    await matchesFile(
      "docs/data-providers.md",
      "providers",
      table(["Provider", "Supplies", "Enabled by", "Terms", "Built on responses of"], rows),
    );
  });

  it("list every skill with the occasion on which it is used", async () => {
    const rows = createSkills()
      .all()
      .map(({ name, title, description }) => [`\`${name}\``, title, description]);
    await matchesFile("docs/skills.md", "skills", table(["Skill", "Title", "When it is used"], rows));
  });

  it("list every client of `mcp config` with the place of its settings", async () => {
    const rows = Object.entries(CLIENTS).map(([name, { title, place }]) => [`\`${name}\``, title, place]);
    await matchesFile("docs/mcp.md", "clients", table(["Name", "Client", "Settings"], rows));
  });

  it("contain the client settings that `mcp config` prints", async () => {
    // one server, because a client lists the tools of every server in the file
    const settings = clientConfig("claude-code", { stdio: true, url: "" });
    await expect(`${JSON.stringify(settings, null, 2)}\n`).toMatchFileSnapshot("../../mcp.json");
  });
});
