import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needsPerson, oauthApp } from "../support/oauth-app.ts";
import { expectAccessible, hasBrowser, useDashboard, type WatchedPage } from "./support/browser.ts";

const PASSWORD = "correct horse battery staple";

describe.runIf(hasBrowser)("sign-in of people and their apps", () => {
  const dashboard = useDashboard({ OAUTH: "on" });

  /** Opens a page of the server in a new browser without a session. */
  async function stranger(path: string, base = dashboard.url): Promise<WatchedPage> {
    const context = await dashboard.browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(`${base}${path}`);
    return Object.assign(page, { complaints });
  }

  it("sets a password, which signs another browser in, and a wrong one does not", async () => {
    const account = await dashboard.page("/account");
    await account.getByLabel("New password").fill(PASSWORD);
    await account.getByRole("button", { name: "Set the password" }).click();
    await account.getByText("A password is set.").waitFor();
    const page = await stranger("/sign-in");
    await expectAccessible(page);
    await page.getByLabel("Name").fill("owner");
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("The name or the password is wrong.").waitFor();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`${dashboard.url}/`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    expect(await page.title()).toBe("Today · Market Signal");
    // the refused password is one message of the browser
    expect([account.complaints, page.complaints.length]).toEqual([[], 1]);
  });

  it("adds a passkey at localhost and signs in with it, without a password", async () => {
    const local = dashboard.url.replace("127.0.0.1", "localhost");
    const page = await stranger("/sign-in", local);
    await page.getByLabel("Name").fill("owner");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`${local}/`);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await page.goto(`${local}/account`);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Remove" }).waitFor();
    await page.context().clearCookies();
    await page.goto(`${local}/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(`${local}/`);
    expect(page.complaints).toEqual([]);
  });

  it("asks for consent after sign-in, shows what the app calls itself as text, and lists it", async () => {
    const app = oauthApp(dashboard.url, "<b>Chat</b>");
    expect(needsPerson(await app.connect().catch((error: unknown) => error))).toBe(true);
    const { pathname, search } = app.opened[0]!;
    const page = await stranger(`${pathname}${search}`);
    await page.getByText("<b>Chat</b>").waitFor();
    await page.getByLabel("Name").fill("owner");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Allow this app?" }).waitFor();
    await expectAccessible(page);
    const back = page.waitForRequest(/localhost:47001\/callback/);
    await page.getByRole("button", { name: "Allow" }).click();
    await app.finish((await back).url());
    const { tools } = await app.client.listTools();
    expect(tools.length).toBeGreaterThan(5);
    const account = await dashboard.page("/account");
    await account.getByText("<b>Chat</b>").waitFor();
    await account.getByRole("button", { name: "Disconnect" }).click();
    await account.getByText("No app is connected.").waitFor();
    await expect(app.client.listTools()).rejects.toThrow();
    expect(account.complaints).toEqual([]);
  });

  it("lets nobody into a page by an address, a made-up link or a cookie", async () => {
    for (const path of ["/account", "/consent?client_id=x", "/screener"]) {
      const page = await stranger(path);
      expect(new URL(page.url()).pathname, path).toMatch(/^\/(sign-in)?$/);
    }
    const page = await stranger("/open/made-up");
    await page.getByText("This link was used before, or is too old").waitFor();
    expect(readFileSync(join(dashboard.dataDir, "first-key.txt"), "utf8")).not.toBe("");
  });
});
