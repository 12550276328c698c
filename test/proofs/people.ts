import type { Plan } from "../../src/domain/accounts/access.ts";
import type { Installation } from "../support/installation.ts";
import { sendTo } from "../support/oauth-app.ts";
import { createPeople, createSignInClient, PASSWORD, type SignedIn } from "../support/sign-in-client.ts";

/** Opens people and apps of a server that listens, has OAuth and no PUBLIC_URL. */
export function openPeople(server: Pick<Installation, "app" | "url">) {
  const send = (path: string, headers?: Readonly<Record<string, string>>, body?: object | string) =>
    sendTo(server.url, path, headers, body);
  const client = createSignInClient(send, server.url);
  const { invited, signedIn, people } = createPeople(server, server.url, client);
  /** Signs in with a password: the session lasts by the clock of the machine, which apps need. */
  async function withPassword(person: SignedIn): Promise<SignedIn> {
    await client.setPassword(person);
    const { status, body, cookies } = await client.signInWith(person.account, PASSWORD);
    if (status !== 200)
      throw new Error(`the sign-in of ${person.account} is answered with ${status}: ${body}`);
    return { ...person, cookie: cookies[0]!.split(";")[0]! };
  }
  return {
    ...client,
    send,
    people,
    invited,
    /** Opens a link of the owner: the session lasts by the clock of the server. */
    signedIn,
    /** Invites a person, who signs in with a password. */
    person: async (account: string, role?: "member" | "viewer", plan?: Plan) =>
      withPassword(await invited(account, role, plan)),
    owner: async () => withPassword(await signedIn()),
  };
}
