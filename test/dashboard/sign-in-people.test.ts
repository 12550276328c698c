import type { Cookie } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { expectAccessible, hasBrowser, useDashboard, type WatchedPage } from "./support/browser.ts";

const PASSWORD = "correct horse battery staple";
const CODE = /^([0-9a-z]{4}-){3}[0-9a-z]{4}$/;

describe.runIf(hasBrowser)("the pages of people and their accounts", () => {
  const dashboard = useDashboard({ OAUTH: "on" });

  /** Opens a page in a new browser, without a session or with cookies. */
  async function browserAt(path: string, cookies: readonly Cookie[] = []): Promise<WatchedPage> {
    const context = await dashboard.browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await context.addCookies([...cookies]);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(new URL(path, dashboard.url).href);
    return Object.assign(page, { complaints });
  }
  const result = (page: WatchedPage) => page.locator("#result-value");
  /** Invites a person on the page of the owner, and returns their link. */
  async function invite(name: string, role = "Member"): Promise<string> {
    const page = await dashboard.page("/people");
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Role").selectOption({ label: await optionOf(page, role) });
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.getByText("The invitation is ready.").waitFor();
    const link = (await result(page).textContent())!;
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("status").getByText("Copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(link);
    await expectAccessible(page);
    expect(page.complaints).toEqual([]);
    await page.context().close();
    return link;
  }
  const optionOf = async (page: WatchedPage, role: string) =>
    (await page.getByLabel("Role").locator("option").allTextContents()).find((text) =>
      text.startsWith(role),
    )!;
  /** Opens a link as an invited person, and returns their page. */
  async function accept(link: string): Promise<WatchedPage> {
    const page = await browserAt(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${dashboard.url}/account`);
    return page;
  }

  describe("somebody who was invited", () => {
    let page: WatchedPage;
    let codes: readonly string[] = [];
    beforeAll(async () => {
      page = await accept(await invite("ada"));
    });

    it("makes recovery codes, which are shown once", async () => {
      await page.getByLabel("New password").fill(PASSWORD);
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByText("A password is set.").waitFor();
      await page.getByText("No recovery codes. Each code signs you in once").waitFor();
      await page.getByRole("button", { name: "Make recovery codes" }).click();
      await page.getByText("Your recovery codes, shown only now.").waitFor();
      codes = (await result(page).textContent())!.split("\n");
      expect(codes.filter((code) => CODE.test(code))).toHaveLength(10);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Done" }).click();
      await page
        .getByText(/^10 are left of those made on \d{4}-\d\d-\d\d\. New ones replace them\.$/)
        .waitFor();
      expect(await page.content()).not.toContain(codes[0]);
      const more = page.getByRole("button", { name: "Make new recovery codes" });
      await more.click();
      await page.getByRole("button", { name: "Ends the codes that are left. Make new ones?" }).waitFor();
      await page.getByLabel("New password").focus();
      await more.waitFor();
      expect(page.complaints).toEqual([]);
    });

    it("signs in with a code once, and is led to set a password", async () => {
      const other = await browserAt("/sign-in");
      await other.getByRole("link", { name: "Use a recovery code" }).click();
      const enter = async () => {
        await other.getByLabel("Name").fill("ada");
        await other.getByLabel("Recovery code").fill(codes[0]!);
        await other.getByRole("button", { name: "Sign in" }).click();
      };
      await enter();
      await other.waitForURL(`${dashboard.url}/account?recovered=1`);
      await other.getByText("You signed in with a recovery code, which is used up.").waitFor();
      await other.getByText(/^9 are left/).waitFor();
      await other.goto(`${dashboard.url}/sign-in/recovery`);
      await enter();
      await other.getByText("The name or the recovery code is wrong, or the code was used").waitFor();
      expect(new URL(other.url()).pathname).toBe("/sign-in/recovery");
      await other.context().close();
    });

    it("ends a session of another browser, and all others", async () => {
      await page.reload();
      expect(await page.getByRole("button", { name: /^End: Chrome on/ }).count()).toBe(1);
      await page.getByRole("button", { name: /^End: Chrome on/ }).click();
      await page.getByRole("status").getByText("The session has ended.").waitFor();
      expect(await page.getByRole("button", { name: /^End: / }).count()).toBe(0);
      const other = await browserAt("/sign-in");
      await other.getByLabel("Name").fill("ada");
      await other.getByLabel("Password").fill(PASSWORD);
      await other.getByRole("button", { name: "Sign in", exact: true }).click();
      await other.waitForURL(`${dashboard.url}/`);
      await page.reload();
      await page.getByRole("button", { name: "End all others" }).click();
      await page.getByRole("status").getByText("Your other sessions have ended.").waitFor();
      await other.goto(`${dashboard.url}/account`);
      expect(new URL(other.url()).pathname).toBe("/sign-in");
      await other.context().close();
    });

    it("locks a name after ten wrong codes, also for the right code and password, but not for a session", async () => {
      const other = await browserAt("/sign-in/recovery");
      const enter = async (code: string) => {
        await other.getByLabel("Name").fill("ada");
        await other.getByLabel("Recovery code").fill(code);
        await other.getByRole("button", { name: "Sign in" }).click();
      };
      const wrong = { name: "ada", code: "0000-0000-0000-0000" };
      for (let n = 0; n < 9; n++) {
        const answer = await other.request.post(`${dashboard.url}/api/v1/sign-in/recovery`, {
          headers: { origin: dashboard.url },
          data: wrong,
        });
        expect(answer.status()).toBe(401);
      }
      await enter(wrong.code);
      await other.getByText("The name or the recovery code is wrong").waitFor();
      await enter(codes[1]!);
      const locked = "Too many failed sign-ins for this name";
      await other.getByRole("status").getByText(locked).waitFor();
      await expectAccessible(other);
      await other.goto(`${dashboard.url}/sign-in`);
      await other.getByLabel("Name").fill("ada");
      await other.getByLabel("Password").fill(PASSWORD);
      await other.getByRole("button", { name: "Sign in", exact: true }).click();
      await other.getByRole("status").getByText(locked).waitFor();
      // the three refused forms are messages of the browser
      expect(other.complaints.map((text) => /status of (\d+)/.exec(text)?.[1])).toEqual([
        "401",
        "429",
        "429",
      ]);
      await page.reload();
      await page.getByText(/^9 are left/).waitFor();
      await other.context().close();
    });

    it("does not see the people of the server", async () => {
      expect(await page.getByRole("link", { name: "People" }).count()).toBe(0);
      await page.goto(`${dashboard.url}/people`);
      expect(new URL(page.url()).pathname).toBe("/account");
      await page.context().close();
    });
  });

  it("lets the owner change a role, suspend, resume and reset, with confirmation for destructive actions", async () => {
    const bob = await accept(await invite("bob", "Viewer"));
    const page = await dashboard.page("/people");
    const row = page.getByRole("listitem").filter({ hasText: "bob" });
    const press = (name: string) => row.getByRole("button", { name }).click();
    const status = page.getByRole("status");
    await row.getByText("viewer", { exact: true }).waitFor();
    await press("Make member: bob");
    await status.getByText("bob is now a member.").waitFor();
    await press("Suspend: bob");
    await press("Suspend? Keys stop working too.");
    await status.getByText("bob is suspended: sessions, apps and keys are refused.").waitFor();
    await row.getByText("suspended", { exact: true }).waitFor();
    await bob.reload();
    expect(new URL(bob.url()).pathname).toBe("/sign-in");
    await press("Resume: bob");
    await status.getByText("bob may sign in again.").waitFor();
    await press("Reset sign-in: bob");
    await press("Ends sessions and apps. Reset?");
    await page.getByText("The sign-in of bob is reset.").waitFor();
    await accept((await result(page).textContent())!);
    expect(await page.getByRole("listitem").filter({ hasText: "owner" }).getByRole("button").count()).toBe(0);
    expect(page.complaints).toEqual([]);
  });

  it("asks for another sign-in after an hour, and comes back", async () => {
    const account = await dashboard.page("/account");
    await account.getByLabel("New password").fill(PASSWORD);
    await account.getByRole("button", { name: "Set the password" }).click();
    await account.getByText("A password is set.").waitFor();
    const old = { status: 403, json: { code: "FORBIDDEN", reason: "recent_sign_in" } };
    for (const path of ["/account", "/people"]) {
      const page = await dashboard.page(path);
      await page.route("**/api/v1/sign-in/*", (route) => route.fulfill(old));
      if (path === "/account") await page.getByRole("button", { name: "Make recovery codes" }).click();
      else {
        await page.getByLabel("Name").fill("eve");
        await page.getByRole("button", { name: "Make a link" }).click();
      }
      await page.getByRole("status").getByRole("link", { name: "Sign in again" }).click();
      await page.getByLabel("Name").fill("owner");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.waitForURL(`${dashboard.url}${path}`);
      // the cookies of the suite are those of a session that was just replaced
      dashboard.useCookies(await page.context().cookies());
      await page.context().close();
    }
    const page = await dashboard.page("/installation");
    await page.route("**/api/v1/installation/keys", (route) =>
      route.request().method() === "POST" ? route.fulfill(old) : route.continue(),
    );
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("button", { name: "Create a key" }).click();
    const link = page.getByRole("alert").getByRole("link", { name: "Sign in again" });
    expect(await link.getAttribute("href")).toBe("/sign-in?next=%2Finstallation");
    await page.context().close();
  });
});
