import { describe, expect, it } from "vitest";
import { oauthApp } from "../support/oauth-app.ts";
import { expectAccessible, hasBrowser, itIsAccessible, useDashboard } from "./support/browser.ts";

describe.runIf(hasBrowser)("the looks of sign-in", () => {
  const dashboard = useDashboard({ OAUTH: "on", TRUST_PROXY: "1" });
  let looks = 0;
  /** Opens a page from an address of its own: all looks within a minute are more requests than one address may send. */
  const open = (path: string, look: Parameters<typeof dashboard.page>[1]) =>
    dashboard.page(path, { ...look, address: `10.0.0.${++looks}` });

  describe.each(["/sign-in", "/sign-in/recovery", "/account", "/people"])("%s", (path) => {
    itIsAccessible((look) => open(path, look));
  });

  describe("/invited", () => {
    let link: string | undefined;
    itIsAccessible((look) => {
      link ??= dashboard.invite("ada");
      return open(link, look);
    });

    it("is accessible when it was used", async () => {
      const page = await open("/invited/made-up", { width: 390 });
      await page.getByRole("heading", { name: "This invitation was used before, or is too old" }).waitFor();
      await expectAccessible(page);
      // the status of the answer is a message of the browser
      expect(page.complaints).toEqual([expect.stringMatching(/status of 401/)]);
    });
  });

  describe("/consent", () => {
    let asked: string | undefined;
    itIsAccessible(async (look) => {
      if (asked === undefined) {
        const app = oauthApp(dashboard.url, "Chat");
        await app.connect().catch(() => {});
        const { pathname, search } = app.opened[0]!;
        asked = `${pathname}${search}`;
      }
      const page = await open(asked, look);
      await page.getByRole("heading", { name: "Allow this app?" }).waitFor();
      return page;
    });
  });
});
