import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../src/kernel/tool.ts";
import * as catalogue from "../../../tools/index.ts";
import { useInstallation } from "../../support/installation.ts";
import { rawRequest } from "../../support/raw-http.ts";

const WORKSPACE = "https://pro.openbb.co";
const DRAWN = Object.values<Tool>(catalogue).filter(({ view, effect }) => view && effect === "read");

/** The rules of OpenBB Workspace for /widgets.json, as its reference states them. */
const Parameter = z
  .strictObject({
    paramName: z.string().min(1),
    type: z.enum(["text", "number", "boolean", "date"]),
    label: z.string().min(1),
    description: z.string().min(1),
    value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    options: z.array(z.strictObject({ label: z.string(), value: z.string() })).optional(),
  })
  .refine(
    ({ type, value }) => value === null || typeof value === (type === "date" ? "string" : TYPES[type]),
    "the value has the type of the parameter",
  )
  .refine(
    ({ options, value }) =>
      options === undefined || value === null || options.some((one) => one.value === value),
    "the value is one of the options",
  );
const TYPES = { text: "string", number: "number", boolean: "boolean" } as const;
const Widget = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  category: z.string(),
  subCategory: z.string(),
  type: z.literal("table"),
  endpoint: z.string().regex(/^[a-z][a-z_/]+$/),
  runButton: z.boolean(),
  gridData: z.strictObject({ w: z.int().min(10).max(40), h: z.int().min(4).max(100) }),
  data: z.strictObject({ table: z.strictObject({ showAll: z.boolean() }) }),
  params: z.array(Parameter),
  source: z.array(z.string()),
  mcp_tool: z.strictObject({ mcp_server: z.string().min(1), tool_id: z.string().min(1) }),
});
const Widgets = z.record(z.string(), Widget);

/** The rules for /apps.json. */
const Apps = z.array(
  z.strictObject({
    name: z.string().min(1),
    description: z.string(),
    img: z.string(),
    img_dark: z.string(),
    img_light: z.string(),
    allowCustomization: z.boolean(),
    tabs: z.record(
      z.string(),
      z.strictObject({
        id: z.string(),
        name: z.string(),
        layout: z.array(
          z.strictObject({
            i: z.string(),
            x: z.int().min(0).max(39),
            y: z.int().min(0),
            w: z.int().min(10).max(40),
            h: z.int().min(4),
            groups: z.array(z.string().regex(/^Group \d+$/)),
          }),
        ),
      }),
    ),
    groups: z.array(
      z.strictObject({
        name: z.string().regex(/^Group \d+$/),
        type: z.enum(["param", "endpointParam"]),
        paramName: z.string(),
        widgetIds: z.array(z.string()),
      }),
    ),
    prompts: z.array(z.string().min(1)),
    mcpServers: z.array(z.strictObject({ name: z.string(), url: z.url(), authType: z.literal("token") })),
  }),
);

describe("OpenBB Workspace", () => {
  const site = useInstallation("sample", { CORS_ORIGINS: WORKSPACE });
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const { port } = site.listening;
    const response = await rawRequest(port, path, { headers: { origin: WORKSPACE, ...headers } });
    return { ...response, json: JSON.parse(response.body.toString()) };
  };
  const asKey = async () => ({ authorization: `Bearer ${(await site.key("pro")).key}` });

  it("finds one widget for each tool that names a view and reads", async () => {
    const widgets = Widgets.parse((await ask("/widgets.json")).json);
    expect(Object.keys(widgets).sort()).toEqual(DRAWN.map(({ name }) => name).sort());
    for (const [name, { mcp_tool, description, source }] of Object.entries(widgets)) {
      expect(mcp_tool).toEqual({ mcp_server: "market-signal", tool_id: name });
      expect(description).toBe(DRAWN.find((tool) => tool.name === name)!.description);
      expect(source).toEqual(["SAMPLE (simulated)"]);
    }
  });

  it("offers the inputs of a tool, with the values of its first example", async () => {
    const { get_signal: signal } = Widgets.parse((await ask("/widgets.json")).json);
    const by = Object.fromEntries(signal!.params.map((one) => [one.paramName, one]));
    expect(by.symbol).toMatchObject({ type: "text", label: "Symbol", value: expect.any(String) });
    expect(by.timeframe?.options?.map(({ value }) => value)).toEqual(["1d", "4h", "1h", "30m", "15m", "5m"]);
    expect(by.as_of).toMatchObject({ type: "date", label: "As of" });
  });

  it("finds an app whose tabs place every widget once, none over another", async () => {
    const widgets = Object.keys(Widgets.parse((await ask("/widgets.json")).json));
    const [app] = Apps.parse((await ask("/apps.json")).json);
    const items = Object.values(app!.tabs).flatMap(({ layout }) => layout);
    expect(items.map(({ i }) => i).sort()).toEqual([...widgets].sort());
    for (const { layout } of Object.values(app!.tabs))
      for (const a of layout)
        for (const b of layout)
          if (a !== b)
            expect(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y !== b.y, `${a.i} ${b.i}`).toBe(true);
    const [group] = app!.groups;
    expect(
      items
        .filter(({ groups }) => groups.includes(group!.name))
        .map(({ i }) => i)
        .sort(),
    ).toEqual([...group!.widgetIds].sort());
    expect(app!.mcpServers[0]?.url).toMatch(/\/api\/mcp$/);
  });

  it("answers every widget with flat records, from the values that it starts with", async () => {
    const widgets = Widgets.parse((await ask("/widgets.json")).json);
    const headers = await asKey();
    for (const name of ["get_signal", "explain_signal", "get_odds", "check_order", "get_track_record"]) {
      const { endpoint, params } = widgets[name]!;
      const query = new URLSearchParams({ theme: "dark" });
      for (const { paramName, value } of params) query.set(paramName, value === null ? "" : String(value));
      const { status, headers: answered, json } = await ask(`/${endpoint}?${query}`, headers);
      expect([name, status]).toEqual([name, 200]);
      expect(answered["access-control-allow-origin"]).toBe(WORKSPACE);
      expect(json.length, name).toBeGreaterThan(0);
      for (const row of json)
        expect(
          Object.values(row).some((cell) => typeof cell === "object" && cell !== null),
          name,
        ).toBe(false);
    }
  });

  it("needs a key for figures, and none for the lists", async () => {
    expect((await ask("/widgets.json")).status).toBe(200);
    expect((await ask("/apps.json")).headers["access-control-allow-origin"]).toBe(WORKSPACE);
    expect((await ask("/api/workspace/get_odds?symbol=AAPL")).status).toBe(401);
  });

  it("shows the label of simulated figures in a table of fields", async () => {
    const { json } = await ask("/api/workspace/get_signal?symbol=AAPL", await asKey());
    expect(json).toContainEqual({ field: "label", value: "SAMPLE (simulated)" });
  });
});
