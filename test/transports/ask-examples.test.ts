import { describe, expect, it } from "vitest";
import { interpretQuery } from "../../tools/interpret-query.ts";
import { TOOLS, useParity } from "../support/parity.ts";
import { toolsCalled } from "../support/tools-called.ts";

/** Roles of tools that answer other tools' questions, or none in words. */
const OF_OTHERS: ReadonlySet<string | undefined> = new Set(["dispatcher", "interpreter", "router"]);

const ASKS = TOOLS.filter(({ effect, role }) => effect === "read" && !OF_OTHERS.has(role)).flatMap(
  ({ name, examples }) => examples.map(({ ask }) => ({ name, ask })),
);
const TRANSPORTS = ["REST", "MCP 2026-07-28", "A2A 1.0 JSON-RPC"];

interface Answered {
  readonly answer: string;
  readonly results: readonly { readonly skill: string }[];
}

/** The same request in other words around it. */
const WORDINGS: readonly ((ask: string) => string)[] = [
  (ask) => ask.toLowerCase().replace(/[?.!]$/, ""),
  (ask) => `Please: ${ask}`,
  (ask) => `hey, quick question: ${ask}`,
  (ask) => `${ask} Thanks!`,
  (ask) => `I would like to know this. ${ask}`,
];

describe("the published examples, asked in words", () => {
  const { clients } = useParity("sample");
  const asked = async (transport: string, query: string): Promise<Answered> => {
    const client = clients().find(({ name }) => name === transport)!;
    const { data } = (await client.call(interpretQuery, { query, detail: "concise" })) as unknown as {
      data: Answered;
    };
    return data;
  };

  it.each(ASKS)("are answered by $name over REST, MCP and A2A: $ask", async ({ name, ask }) => {
    for (const transport of TRANSPORTS)
      expect(
        (await asked(transport, ask)).results.map(({ skill }) => skill),
        transport,
      ).toContain(name);
  });

  it.each(ASKS)("are never denied in five wordings: $ask", async ({ ask }) => {
    for (const wording of WORDINGS) {
      const query = wording(ask);
      const { answer } = await toolsCalled(query);
      expect(answer, query).not.toMatch(/No tool here answers|The screener has no filter/);
    }
  });
});
