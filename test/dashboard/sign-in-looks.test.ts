import { describe } from "vitest";
import { oauthApp } from "../support/oauth-app.ts";
import { hasBrowser, itIsAccessible, useDashboard } from "./support/browser.ts";

// a server for each page: the requests of all looks within a minute are more than one address may send
describe.runIf(hasBrowser)("the looks of sign-in", () => {
  describe.each(["/sign-in", "/sign-in/recovery", "/invited/made-up", "/account", "/people"])(
    "%s",
    (path) => {
      const dashboard = useDashboard({ OAUTH: "on" });
      itIsAccessible((look) => dashboard.page(path, look));
    },
  );

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
