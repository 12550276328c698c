import { describe, expect, it } from "vitest";
import { OAUTH_ENDPOINTS, SERVED_ENDPOINTS } from "../../../src/access/sign-in/sign-in.ts";
import { useInstallation } from "../../support/installation.ts";
import { libraryEndpoints } from "../../support/library-endpoints.ts";
import { sendTo } from "../../support/oauth-app.ts";

const sites = {
  on: useInstallation("sample", { OAUTH: "on" }),
  off: useInstallation("sample", { OAUTH: "off" }),
};

/** Sends a request to an endpoint of the library with a session of the owner, and returns the status. */
async function statusOf(oauth: keyof typeof sites, endpoint: string): Promise<number> {
  const { app, url } = sites[oauth];
  const { token } = await app.browserSessions.issueLink();
  const { cookies } = await sendTo(url, `/open/${token}`);
  const [method, path] = endpoint.split(" ") as [string, string];
  const headers = { cookie: cookies[0]!.split(";")[0]!, origin: url };
  const body = method === "GET" ? undefined : {};
  return (await sendTo(url, `/auth${path.replaceAll(/:\w+/g, "x")}`, headers, body, method)).status;
}

describe.each(["on", "off"] as const)("the library of sign-in with OAUTH=%s", (oauth) => {
  const served = new Set([...SERVED_ENDPOINTS, ...(oauth === "on" ? OAUTH_ENDPOINTS : [])]);

  it("answers at the endpoints of the list, and is not found at its others", async () => {
    const known = await libraryEndpoints(sites.on.app.store, oauth === "on");
    const statuses: Record<string, number> = {};
    for (const endpoint of known)
      if (!served.has(endpoint)) statuses[endpoint] = await statusOf(oauth, endpoint);
    expect(Object.entries(statuses).filter(([, status]) => status !== 404)).toEqual([]);
    expect([...served].filter((endpoint) => !known.includes(endpoint))).toEqual([]);
    expect(Object.keys(statuses).length).toBe(known.length - served.size);
  });

  it("serves OAuth only while it is on", async () => {
    const statuses = await Promise.all([...OAUTH_ENDPOINTS].map((endpoint) => statusOf(oauth, endpoint)));
    expect(statuses.every((status) => (status === 404) === (oauth === "off"))).toBe(true);
  });
});
