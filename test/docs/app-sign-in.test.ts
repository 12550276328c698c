import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transformSync } from "esbuild";
import { expect, it, vi } from "vitest";
import { freePort } from "../support/free-port.ts";
import { useInstallation } from "../support/installation.ts";
import { allowApp, sendTo } from "../support/oauth-app.ts";

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
  writeFileSync(
    file,
    `${code}\nexport const callAgain = () => withPerson(() => client.callTool(call));\nexport { client };\n`,
  );
  const { token } = await site.app.browserSessions.issueLink();
  const cookie = (await sendTo(site.url, `/open/${token}`)).cookies[0]!.split(";")[0]!;
  let opened = 0;
  const log = vi.spyOn(console, "log").mockImplementation(async (text: unknown) => {
    const [, address] = /^Open (\S+)$/.exec(String(text)) ?? [];
    if (address === undefined) return;
    opened++;
    const { origin, pathname, search } = new URL(await allowApp(site.url, cookie, address));
    await sendTo(origin, `${pathname}${search}`);
  });
  const app = await import(/* @vite-ignore */ pathToFileURL(file).href);
  try {
    expect(opened).toBe(1);
    const [{ client_id }] = (await site.app.peopleAdmin.apps("owner")) as [{ client_id: string }];
    await site.app.peopleAdmin.disconnect("owner", client_id, "owner");
    expect((await app.callAgain()).isError).toBeFalsy();
    expect(opened).toBe(2);
  } finally {
    log.mockRestore();
    await app.client.close();
  }
});
