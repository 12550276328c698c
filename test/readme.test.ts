import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogue } from "../src/app/catalogue.ts";
import { describeConfig } from "../src/app/config.ts";
import { PROVIDER_NAMES, PROVIDERS } from "../src/app/provider-table.ts";
import type { Tool } from "../src/kernel/tool.ts";
import { clientConfig } from "../src/transports/cli/mcp-config.ts";

const tools: readonly Tool[] = Object.values(catalogue);
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
/** Commands that are no tools. */
const OPERATING = new Set([
  ...["serve", "stdio", "config", "doctor", "keys", "engine", "track", "data", "mcp"],
  ...["vault", "limits", "trades", "audit", "agent"],
]);
const firstSentence = (text: string): string => `${text.split(/[.:] /)[0]!.replace(/\.$/, "")}.`;
const between = (text: string, name: string, content: string): string => {
  expect(text).toContain(`<!-- ${name} -->`);
  return text.replace(
    new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`),
    () => `<!-- ${name} -->\n${content}\n<!-- /${name} -->`,
  );
};

describe("the README", () => {
  it("and what it leads to name commands that there are", () => {
    const names = tools.flatMap(({ name, cli }) => [name.replaceAll("_", "-"), cli?.command ?? name]);
    const texts = [readme, readFileSync(new URL("../docs/beyond-price.md", import.meta.url), "utf8")];
    const named = texts.flatMap((text) =>
      [...text.matchAll(/(?:npx market-signal|`market-signal) ([a-z][a-z-]+)/g)].map(([, name]) => name!),
    );
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((name) => !names.includes(name) && !OPERATING.has(name))).toEqual([]);
  });

  it("lists the tools and the settings as they are", async () => {
    const toolTable = table(
      ["Tool", "Plan", "Route", "What it does"],
      [...tools]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, plan, route, description }) => [
          `\`${name}\``,
          plan,
          `\`${route}\``,
          firstSentence(description),
        ]),
    );
    const settings = table(
      ["Setting", "Default", "What it does"],
      describeConfig({})
        .filter(({ name }) => !name.startsWith("PROVIDER_URL_"))
        .map(({ name, value, purpose }) => [
          `\`${name}\``,
          name === "DATA_DIR" ? "`~/.market-signal`" : value === null ? "" : `\`${value}\``,
          purpose,
        ])
        .concat([
          ["`PROVIDER_URL_<SOURCE>`", "", "Another address in the place of a source, such as a replay"],
        ]),
    );
    const sources = table(
      ["Source", "Gives", "Switched on by", "Terms", "Built on answers of"],
      PROVIDER_NAMES.map((name) => {
        const vendor = PROVIDERS[name];
        const { title, gives, setting, terms, recorded } = vendor;
        const by = setting === null ? "" : `\`${setting}\`${"and" in vendor ? ` and \`${vendor.and}\`` : ""}`;
        return [`${title} (\`${name}\`)`, gives, by, terms, recorded];
      }),
    );
    const expected = between(
      between(between(readme, "tools", toolTable), "settings", settings),
      "sources",
      sources,
    );
    await expect(expected).toMatchFileSnapshot("../README.md");
  });

  it("ships the client settings that the command prints", async () => {
    const http = clientConfig("claude", { child: false, url: "http://127.0.0.1:8787" }) as {
      mcpServers: Record<string, object>;
    };
    const stdio = clientConfig("claude", { child: true, url: "" }) as { mcpServers: Record<string, object> };
    const both = {
      mcpServers: { ...http.mcpServers, "market-signal-stdio": stdio.mcpServers["market-signal"] },
    };
    await expect(`${JSON.stringify(both, null, 2)}\n`).toMatchFileSnapshot("../mcp.json");
  });
});
