import { scopesOf, type Tool } from "../../../src/kernel/tool.ts";
import { requestOf } from "../proof-server.ts";
import { exampleOf, type Group, LIMITED, refusedTool, refusedWith } from "./kinds.ts";
import { ORIGIN, type SignedIn, type SignInSite } from "./site.ts";

/** Invitations: into the account and the role of the owner, used again, and what a viewer and a member may not do. */
export async function invitations(site: SignInSite): Promise<Group> {
  const viewer = await site.invited("viewer", "viewer");
  const member = await site.invited("member");
  const owner = await site.signedIn();
  const beyond = (scopes: readonly string[]) =>
    site.app.registry.tools.filter((tool) => !scopesOf(tool).every((scope) => scopes.includes(scope)));
  /** Calls a tool over REST as a page does; refused for the scope, and not for what it sends. */
  async function call({ cookie }: SignedIn, tool: Tool): Promise<string | null> {
    const { method, path, body } = requestOf(tool.route, exampleOf(tool));
    const headers = { cookie, origin: ORIGIN };
    const answer = await site.send(
      path,
      headers,
      method === "GET" ? undefined : ((body as object) ?? {}),
      method,
    );
    if (answer.status === 429) return LIMITED;
    const isRight = answer.status === 403 && JSON.parse(answer.body).code === "SCOPE_REQUIRED";
    return isRight ? null : `${tool.name}: ${answer.status} ${answer.body.slice(0, 200)}`;
  }
  const [toViewer, toMember] = [beyond(["read"]), beyond(["read", "write"])];
  const app = await site.connected(viewer.cookie, { scope: "read write trade:paper admin" });
  const invited = async (to: Parameters<typeof site.people.invite>[0]) =>
    site.people.invite(to, "proof").then(
      ({ token }) => `a link ${token}`,
      () => null,
    );
  const accounts = [
    "GET /api/v1/accounts",
    "DELETE /api/v1/accounts/ben",
    "POST /api/v1/accounts/ben/suspend",
  ];
  const { token: spent } = await site.people.invite({ account: "guest", role: "member" }, "proof");
  await site.open(spent);
  return {
    name: "invitations",
    kinds: [
      {
        name: "to the role or the account of the owner, or to a name of markup",
        attempts: 100,
        attempt: (n) =>
          invited(
            [
              { account: "new", role: "owner" as never },
              { account: "owner", role: "member" as const },
              { account: "owner", role: "viewer" as const },
              { account: "<b>x</b>", role: "member" as const },
            ][n % 4]!,
          ),
      },
      {
        name: "used again",
        attempts: 100,
        attempt: async (n) =>
          n % 2 === 0
            ? refusedWith(await site.send(`/open/${spent}`), [401])
            : refusedWith(await site.send(`/open/${spent}`, {}, ""), [401]),
      },
      {
        name: "viewer who writes",
        attempts: 400,
        attempt: (n) => call(viewer, toViewer[n % toViewer.length]!),
      },
      {
        name: "member who trades",
        attempts: 200,
        attempt: (n) => call(member, toMember[n % toMember.length]!),
      },
      {
        name: "session that administrates",
        attempts: 100,
        async attempt(n) {
          const [method, path] = accounts[n % accounts.length]!.split(" ") as [string, string];
          const { cookie } = [viewer, member, owner][n % 3]!;
          return refusedWith(await site.send(path, { cookie, origin: ORIGIN }, undefined, method), [403]);
        },
      },
      {
        name: "app of a viewer that writes",
        attempts: 200,
        async attempt(n) {
          const tool = toViewer[n % toViewer.length]!;
          return refusedTool(await site.mcp(app.access, tool.name, exampleOf(tool)));
        },
      },
    ],
    async control() {
      const { status, body } = await site.mcp(app.access, "get_quota");
      const isRight = status === 200 && /"scopes":\["read"\]/.test(body.replaceAll("\\", ""));
      return isRight ? null : `the app of the viewer is answered with ${status}: ${body.slice(0, 500)}`;
    },
  };
}
