import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { useInstallation } from "../support/installation.ts";
import { allowApp, sendTo } from "../support/oauth-app.ts";
import { start } from "../support/program.ts";

const PAGE = fileURLToPath(new URL("../../docs/clients.md", import.meta.url));
const SDK = import.meta.resolve("@modelcontextprotocol/client");
const site = useInstallation("sample", { OAUTH: "on" });

it("signs in again with the code of docs/clients.md after its person disconnected the app", async () => {
  const section = readFileSync(PAGE, "utf8").split("## Sign-in instead of a key")[1]!;
  const [, typed] = /```ts\n(.*?)```/s.exec(section)!;
  const port = String(await freePort());
  const code = transformSync(typed!, { loader: "ts" })
    .code.replace("http://127.0.0.1:8787", site.url)
    .replaceAll("47001", port)
    .replace("@modelcontextprotocol/client", SDK);
  const file = join(site.dir, "app.mjs");
  const again = `process.stdin.once("data", async () => {
    console.log("again", await withPerson(() => client.callTool(call)));
    process.exit();
  });`;
  writeFileSync(file, `${code}\n${again}`);
  const { token } = await site.app.browserSessions.issueLink();
  const cookie = (await sendTo(site.url, `/open/${token}`)).cookies[0]!.split(";")[0]!;
  const { child, says, ended, seen } = start([process.execPath, file], {});
  const allow = async (address: string) => {
    const { origin, pathname, search } = new URL(await allowApp(site.url, cookie, address));
    expect((await sendTo(origin, `${pathname}${search}`)).status).toBe(200);
  };
  await allow((await says(/Open (\S+)\n/))[1]!);
  await says(/structuredContent/);
  const [app] = await site.app.peopleAdmin.apps("owner");
  await site.app.peopleAdmin.disconnect("owner", app!.client_id, "owner");
  child.stdin.write("\n");
  await allow((await says(/structuredContent.*Open (\S+)\n/s))[1]!);
  expect([await ended, seen.err]).toEqual([0, expect.not.stringContaining("Error")]);
  expect(seen.out).toMatch(/again \{.*structuredContent/s);
});
