import { describe, expect, it } from "vitest";
import { oauthApp } from "../support/oauth-app.ts";
import { expectAccessible, hasBrowser, itIsAccessible, useDashboard } from "./support/browser.ts";

// a server for each page: the requests of all looks within a minute are more than one address may send
describe.runIf(hasBrowser)("the looks of sign-in", () => {
  describe.each(["/sign-in", "/sign-in/recovery", "/account", "/people"])("%s", (path) => {
    const dashboard = useDashboard({ OAUTH: "on" });
    itIsAccessible((look) => dashboard.page(path, look));
  });

  describe("/invited", () => {
    const dashboard = useDashboard();
    let link: string | undefined;
    itIsAccessible((look) => {
      link ??= dashboard.invite("ada");
      return dashboard.page(link, look);
    });

    it("is accessible when it was used", async () => {
      const page = await dashboard.page("/invited/made-up", { width: 390 });
      await page.getByRole("heading", { name: "This invitation was used before, or is too old" }).waitFor();
      await expectAccessible(page);
      // the status of the answer is a message of the browser
      expect(page.complaints).toEqual([expect.stringMatching(/status of 401/)]);
    });
  });

  describe("/consent", () => {
    const dashboard = useDashboard({ OAUTH: "on" });
    let asked: string | undefined;
    itIsAccessible(async (look) => {
      if (asked === undefined) {
        const app = oauthApp(dashboard.url, "Chat");
        await app.connect().catch(() => {});
        const { pathname, search } = app.opened[0]!;
        asked = `${pathname}${search}`;
      }
      const page = await dashboard.page(asked, look);
      await page.getByRole("heading", { name: "Allow this app?" }).waitFor();
      return page;
    });
  });
});
