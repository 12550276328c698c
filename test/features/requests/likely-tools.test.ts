import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import type { RankedTool } from "../../../src/domain/ports.ts";
import { likelyToolsOf, type Understanding } from "../../../src/features/requests/likely-tools.ts";
import { maxEffect, type Tool } from "../../../src/kernel/tool.ts";
import { readMentions } from "../../../src/market/symbols/mentions/read-mentions.ts";
import { symbols } from "./parsed-question.ts";

const tools = new Map(Object.values<Tool>(catalogue).map((tool) => [tool.name, tool]));
/** The rank of a tool, or of what no tool answers; with `*`, the request contains a topic of it. */
const ranked = (name: string, share: number): RankedTool => {
  const tool = tools.get(name.replace("*", ""));
  const { title = "", input } = tool ?? {};
  return {
    tool: tool === undefined ? null : { name: tool.name, title, input: input!, effect: maxEffect(tool) },
    share,
    isNamed: name.endsWith("*"),
  };
};

function likely(
  query: string,
  ranks: readonly (readonly [name: string, share: number])[],
  { planned = [], understanding = "short" }: { planned?: string[]; understanding?: Understanding } = {},
) {
  const details = {
    query,
    mentions: readMentions(query, symbols).mentions,
    timeframe: null,
    asOf: null,
    subject: query,
    now: new Date("2026-11-20T15:00:00Z"),
  };
  const calls = planned.map((skill) => ({ skill, symbol: null, input: {} }));
  const toolSearch = { rank: () => ranks.map(([name, share]) => ranked(name, share)) };
  const found = likelyToolsOf(details, calls, toolSearch, understanding);
  return { ...found, calls: found.calls.map(({ skill }) => skill) };
}

describe("the likely tools of a request", () => {
  it.each<[string, [string, number][], string[]]>([
    [
      "is the likeliest",
      [
        ["get_movers", 0.6],
        ["get_sectors", 0.1],
      ],
      ["get_movers"],
    ],
    [
      "is the likeliest by far of unlikely ones",
      [
        ["get_movers", 0.18],
        ["get_sectors", 0.14],
      ],
      ["get_movers"],
    ],
    [
      "is none of two that are as unlikely",
      [
        ["get_movers", 0.18],
        ["get_sectors", 0.17],
      ],
      [],
    ],
    [
      "are two if both are likely",
      [
        ["get_movers", 0.4],
        ["get_sectors", 0.3],
      ],
      ["get_movers", "get_sectors"],
    ],
    [
      "are those of its topics",
      [
        ["get_movers", 0.9],
        ["get_sectors*", 0.01],
      ],
      ["get_movers", "get_sectors"],
    ],
    [
      "are no tool of a topic that needs a symbol",
      [
        ["get_movers", 0.9],
        ["get_news*", 0.05],
      ],
      ["get_movers"],
    ],
  ])("%s", (_, ranks, calls) => {
    expect(likely("this week", ranks).calls).toEqual(calls);
  });

  it("are not called again when they are planned, but their inputs are filled", () => {
    const { calls, refined } = likely("ipos", [["get_calendar", 0.9]], { planned: ["get_calendar"] });
    expect(calls).toEqual([]);
    expect(refined).toEqual([{ skill: "get_calendar", symbol: null, input: { type: "ipos" } }]);
  });

  it("that change something are named, not called, unless it is a question that another tool answers", () => {
    const ranks = [
      ["delete_agent", 0.6],
      ["list_agents", 0.25],
    ] as const;
    expect(likely("my bot: erase", ranks)).toMatchObject({
      calls: [],
      replies: ["Nothing was changed: delete_agent does that."],
    });
    expect(likely("which of my bots were erased", ranks).calls).toEqual(["list_agents"]);
    expect(likely("how do i delete an agent", ranks).replies).toEqual([
      "delete_agent does that: Delete agent.",
    ]);
  });

  it("name no tool that places orders, and none that the request names", () => {
    const replies = ["Nothing was changed: a question changes nothing."];
    expect(likely("fill my bags", [["execute_trade", 0.9]]).replies).toEqual(replies);
    expect(likely("go and delete_agent now", [["delete_agent", 0.9]]).replies).toEqual(replies);
  });

  it("say that a change which the request tells to make was not made", () => {
    const ranks = [
      ["get_risk_limits*", 0.9],
      ["set_kill_switch*", 0.05],
    ] as const;
    expect(likely("turn on the kill switch and show my limits", ranks)).toMatchObject({
      calls: ["get_risk_limits"],
      notDone: ["Nothing was changed: set_kill_switch does that."],
    });
    expect(likely("is the kill switch on", ranks).notDone).toEqual([]);
  });

  it("say which field they require", () => {
    expect(likely("any news", [["get_news", 0.9]]).replies).toEqual([
      "get_news answers that for a symbol: name one, such as AAPL or bitcoin.",
    ]);
    expect(likely("the receipt", [["get_receipt", 0.9]]).replies[0]).toMatch(
      /^get_receipt answers that and requires receipt_id \(.+\)\.$/,
    );
  });

  it("are none for what no tool answers: that depends on what else is understood", () => {
    const ranks = [
      ["none", 0.3],
      ["delete_agent", 0.2],
      ["get_news", 0.1],
      ["get_quote", 0.05],
    ] as const;
    expect(likely("rent in Denver", ranks)).toMatchObject({
      isOutside: true,
      replies: ["No tool here answers that. The nearest are get_news and get_quote."],
    });
    const isOutside = (understanding: Understanding) => likely("Apple", ranks, { understanding }).isOutside;
    expect([isOutside("withUnknownWords"), isOutside("long"), isOutside("short")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(likely("rent", [["none", 0.9]]).replies).toEqual(["No tool here answers that."]);
  });
});
