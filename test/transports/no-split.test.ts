import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { declareNoSplit } from "../../tools/declare-no-split.ts";
import { getOdds } from "../../tools/get-odds.ts";
import { type Installation, install, writeBars } from "../support/installation.ts";
import { runProgram } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { type Answer, openTransportClients, type TransportClient } from "../support/transport-clients.ts";

const { dir, remove } = suiteDir();
const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of opened.reverse()) await one.close();
  remove();
});

/** Writes 520 days of AAPL whose prices fall to a tenth at the 451st; returns its date. */
async function writeFall(): Promise<{ readonly folder: string; readonly date: string }> {
  const folder = await writeBars(dir, [["AAPL", "1d"]]);
  const file = join(folder, "AAPL_1d.csv");
  const [header, ...rows] = readFileSync(file, "utf8").trim().split("\n");
  const fallen = rows.map((row, i) => {
    const [time, ...figures] = row.split(",");
    const [open, high, low, close, volume] = figures.map((figure) =>
      i < 450 ? Number(figure) * 10 : Number(figure),
    );
    return [time, open, high, low, close, i < 450 ? volume! / 100 : volume].join(",");
  });
  writeFileSync(file, [header, ...fallen, ""].join("\n"));
  return { folder, date: rows[450]!.split(",")[0]! };
}

/** Opens a server on the same data, with a client of every transport. */
async function start(folder: string) {
  const installation = await install(dir, `files:${folder}`);
  const clients = await openTransportClients(installation);
  const server = {
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await installation.stop();
      opened.splice(opened.indexOf(server), 1);
    },
  };
  opened.push(server);
  return { installation, clients, server };
}

const code = (answer: Answer) => ("code" in answer ? answer.code : "answered");
const isOwner = ({ principal }: TransportClient) => principal.account === "owner";

/** Calls declare_no_split over REST with a key of these scopes. */
async function declareOverRest({ url, key }: Installation, scopes: readonly string[], input: object) {
  const { key: made } = await key("pro", scopes as never);
  const response = await fetch(`${url}/api/v1/no-splits`, {
    method: "POST",
    headers: { authorization: `Bearer ${made}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

it("a declaration of the owner or an admin counts for every account and transport, also after a restart, until it is withdrawn", async () => {
  const { folder, date } = await writeFall();
  const first = await start(folder);
  const oddsOf = (clients: readonly TransportClient[]) =>
    Promise.all(clients.map(async (client) => code(await client.call(getOdds, { symbol: "AAPL" }))));
  const each = (clients: readonly TransportClient[], outcome: string) => clients.map(() => outcome);
  const declaration = { symbol: "AAPL", date };
  expect(await oddsOf(first.clients)).toEqual(each(first.clients, "NOT_ENOUGH_DATA"));

  const others = first.clients.filter((client) => !isOwner(client));
  for (const client of others)
    expect(code(await client.call(declareNoSplit, declaration)), client.name).toBe("SCOPE_REQUIRED");
  const refused = await declareOverRest(first.installation, ["read", "write"], declaration);
  expect(refused).toMatchObject({
    status: 403,
    body: {
      hint: `The owner of the server declares it, because it changes the signals of all accounts. On the server: \`market-signal no-split AAPL ${date}\`.`,
      required_scope: "admin",
    },
  });
  // the owner over stdio
  const owner = first.clients.find(({ name }) => name === "stdio")!;
  expect(isOwner(owner)).toBe(true);
  const day = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  expect(code(await owner.call(declareNoSplit, { symbol: "AAPL", date: day }))).toBe("INVALID_INPUT");
  expect(code(await owner.call(declareNoSplit, { symbol: "NOSUCHNAME", date }))).toBe("UNKNOWN_SYMBOL");
  expect(code(await owner.call(declareNoSplit, { symbol: "AAPL" }))).toBe("INVALID_INPUT");
  expect(await oddsOf(first.clients)).toEqual(each(first.clients, "NOT_ENOUGH_DATA"));

  expect(await owner.call(declareNoSplit, declaration)).toMatchObject({ data: { changed: true } });
  expect(await oddsOf(first.clients)).toEqual(each(first.clients, "answered"));
  await first.server.close();

  const second = await start(folder);
  expect(await oddsOf(second.clients)).toEqual(each(second.clients, "answered"));
  for (const client of second.clients)
    expect(await client.call(declareNoSplit, {}), client.name).toMatchObject({
      data: { changed: false, declared: [{ symbol: "AAPL", date }] },
    });
  // the owner in a terminal beside the running server
  const inTerminal = (...words: string[]) =>
    runProgram(
      [process.execPath, "--import", "tsx", "src/main.ts", "no-split", ...words],
      second.installation.env,
    );
  const wrong = await inTerminal("AAPL", day);
  expect([wrong.code, wrong.err]).toEqual([
    expect.any(Number),
    expect.stringContaining(`Pass date ${date}: the first session at the new price.`),
  ]);
  expect(wrong.code).not.toBe(0);
  expect(await inTerminal("AAPL", date, "--remove")).toMatchObject({
    code: 0,
    out: expect.stringContaining("The bars are checked for a split again."),
  });
  expect(await oddsOf(second.clients)).toEqual(each(second.clients, "NOT_ENOUGH_DATA"));
  const again = await declareOverRest(second.installation, ["read", "write", "admin"], declaration);
  expect(again).toMatchObject({ status: 200, body: { changed: true, declared: [{ symbol: "AAPL", date }] } });
  expect(await oddsOf(second.clients)).toEqual(each(second.clients, "answered"));
  const withdrawn = await declareOverRest(second.installation, ["read", "write", "admin"], {
    ...declaration,
    remove: true,
  });
  expect(withdrawn).toMatchObject({ status: 200, body: { changed: true, declared: [] } });
  expect(await oddsOf(second.clients)).toEqual(each(second.clients, "NOT_ENOUGH_DATA"));
}, 120_000);
