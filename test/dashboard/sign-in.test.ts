import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startIssuer } from "../support/issuer.ts";
import { needsPerson, oauthApp } from "../support/oauth-app.ts";
import { expectAccessible, hasBrowser, useDashboard, type WatchedPage } from "./support/browser.ts";

const PASSWORD = "correct horse battery staple";

const issuer = await startIssuer();
afterAll(() => issuer.close());

describe.runIf(hasBrowser)("sign-in of people and their apps", () => {
  const dashboard = useDashboard({ OAUTH: "on", ...issuer.settings });

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

  const signIn = async (page: WatchedPage) => {
    await page.getByLabel("Name").fill("owner");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };

  it("sets a password, which signs another browser in, and a wrong one does not", async () => {
    const account = await dashboard.page("/account");
    await account.getByLabel("New password").fill(PASSWORD);
    await account.getByRole("button", { name: "Set the password" }).click();
    await account.getByText("A password is set.").waitFor();
    const status = account.getByRole("status");
    await status.getByText("The password is set. Your other sessions have ended.").waitFor();
    await account.reload();
    expect(await status.textContent()).toBe("");
    await account.getByLabel("New password").fill(PASSWORD);
    await account.getByRole("button", { name: "Change the password" }).click();
    await status.getByText("The password is changed. Your other sessions have ended.").waitFor();
    const page = await stranger("/sign-in");
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
    await signIn(page);
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
    const options = "**/auth/passkey/generate-register-options";
    await page.route(options, (route) => route.fulfill({ status: 403, json: { code: "SESSION_NOT_FRESH" } }));
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const status = page.getByRole("status");
    await status.getByText("This session began more than an hour ago.").waitFor();
    const again = status.getByRole("link", { name: "Sign in again" });
    expect(await again.getAttribute("href")).toBe("/sign-in?next=%2Faccount");
    await page.unroute(options);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Remove" }).waitFor();
    await page
      .getByRole("listitem")
      .getByText(/^Passkey of \d{4}-\d\d-\d\d$/)
      .waitFor();
    await page.context().clearCookies();
    await page.goto(`${local}/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(`${local}/`);
    // the refused passkey is one message of the browser
    expect(page.complaints.length).toBe(1);
  });

  it("connects an identity of the external issuer, which signs another browser in, and disconnects it", async () => {
    const account = await dashboard.page("/account");
    await account.getByText("No identity is connected.").waitFor();
    await expectAccessible(account);
    await account.getByRole("button", { name: "Connect Acme" }).click();
    await account.waitForURL(`${dashboard.url}/account?connected`);
    await account.getByText("Your identity at Acme is connected: you can sign in with it.").waitFor();
    await expectAccessible(account);

    const page = await stranger("/sign-in?next=/account");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Sign in with Acme" }).click();
    await page.waitForURL(`${dashboard.url}/account`);
    await page.getByText("You are owner, owner of the account owner.").waitFor();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("status").getByText("The identity is disconnected.").waitFor();
    await page.getByText("No identity is connected.").waitFor();
    await expectAccessible(page);

    const other = await stranger("/sign-in");
    await other.getByRole("button", { name: "Sign in with Acme" }).click();
    await other.getByRole("heading", { name: "Not signed in with Acme" }).waitFor();
    await other.getByText("No person of this server is connected to the identity").waitFor();
    await expectAccessible(other);
    // a violation of the content security policy would be a message of the browser
    expect([account, page, other].flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  it("asks for consent after sign-in, shows what the app calls itself as text, and lists it", async () => {
    const app = oauthApp(dashboard.url, "<b>Chat</b>");
    expect(needsPerson(await app.connect().catch((error: unknown) => error))).toBe(true);
    const { pathname, search } = app.opened[0]!;
    const page = await stranger(`${pathname}${search}`);
    await page.getByText("<b>Chat</b>").waitFor();
    await signIn(page);
    await page.getByRole("heading", { name: "Allow this app?" }).waitFor();
    await page.getByText("You are sent back to").waitFor();
    await page.getByText("Stay connected until 90 days pass without use").waitFor();
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
      expect(new URL(page.url()).pathname, path).toBe("/sign-in");
    }
    const page = await stranger("/open/made-up");
    await page.getByText("This link was used before, or is too old").waitFor();
    expect(readFileSync(join(dashboard.dataDir, "first-key.txt"), "utf8")).not.toBe("");
  });

  it("marks what an app asks for in addition, puts it first, and allows the call once a person agrees", async () => {
    const app = oauthApp(dashboard.url, "Editor");
    await app.connect().catch(() => {});
    const first = await dashboard.page(pathOf(app.opened[0]!));
    const back = first.waitForRequest(/localhost:47001\/callback/);
    await first.getByRole("button", { name: "Allow" }).click();
    await app.finish((await back).url());
    const save = { name: "save_watchlist", arguments: { name: "mine", symbols: ["AAPL"] } };
    await app.client.callTool(save).catch(() => {});
    const more = await dashboard.page(pathOf(app.opened[1]!));
    await more.getByRole("heading", { name: "Allow this app more?" }).waitFor();
    expect(await more.getByRole("listitem").allTextContents()).toEqual([
      "new Change watchlists, alerts, agents and saved levels of this account, and ask for changes of its limits and for broker accounts, which a person confirms",
      "Read market data, signals, and the watchlists, alerts, positions and orders of this account",
      "Stay connected until 90 days pass without use",
    ]);
    const backAgain = more.waitForRequest(/localhost:47001\/callback/);
    await more.getByRole("button", { name: "Allow" }).click();
    await app.finish((await backAgain).url());
    expect(await app.client.callTool(save)).toMatchObject({
      structuredContent: { watchlist: { name: "mine", symbols: ["AAPL"] } },
    });
    expect(more.complaints).toEqual([]);
  });

  it("leads an invited person to set how they sign in, and another to who invited them", async () => {
    const link = dashboard.invite("ada");
    const page = await stranger(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${dashboard.url}/account`);
    await page
      .getByText("Set a password or a passkey now, to sign in again: the link that signed you in works once")
      .waitFor();
    const late = await stranger(link);
    await late.getByText("Ask the person who invited you for a new link.").waitFor();
    expect(await late.locator("main").textContent()).not.toContain("npx");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${dashboard.url}/`);
    await page.getByText("This browser is not signed in.").waitFor();
  });

  it("leads to the page that was asked for after sign-in, and to no other site", async () => {
    for (const [asked, shown] of [
      ["/symbol/AAPL", "/symbol/AAPL"],
      ["/account", "/account"],
      ["/sign-in?next=//evil.example", "/"],
      ["/sign-in?next=/%5Cevil.example", "/"],
      ["/sign-in?next=javascript:alert(1)", "/"],
    ] as const) {
      const page = await stranger(asked);
      await signIn(page);
      await page.waitForURL(`${dashboard.url}${shown}`);
      await page.context().close();
    }
  });

  it("says at an address that passkeys need a name, and links to the same page there", async () => {
    const page = await stranger("/sign-in?next=/account");
    expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
    const local = dashboard.url.replace("127.0.0.1", "localhost");
    const link = page.getByRole("link", { name: `${local}/sign-in` });
    expect(await link.getAttribute("href")).toBe(`${local}/sign-in?next=/account`);
  });

  it("says which address an app needs, and follows the colours of the dashboard", async () => {
    const page = await dashboard.page("/account");
    await page.getByText(`${dashboard.url}/api/mcp`, { exact: true }).waitFor();
    await page.getByText("SAMPLE", { exact: true }).waitFor();
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await colour()).toBe("rgb(10, 13, 19)");
    await page.evaluate(() => localStorage.setItem("mantine-color-scheme-value", "light"));
    await page.reload();
    expect(await colour()).toBe("rgb(246, 247, 249)");
  });
});

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;
