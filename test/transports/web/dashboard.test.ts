import { expect, it } from "vitest";
import { dashboardFileRoutes } from "../../../src/transports/web/dashboard.ts";

const ICON = Buffer.from("an icon");

it("answers the place where browsers look for an icon", async () => {
  const app = dashboardFileRoutes({ paths: () => ["icon-192.png"], read: () => ICON });
  const response = await app.request("/favicon.ico");
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await response.arrayBuffer())).toEqual(ICON);
});

it("answers it with nothing where no pages are built", async () => {
  expect((await dashboardFileRoutes(undefined).request("/favicon.ico")).status).toBe(204);
});
