/** A request of an app to revoke a token (RFC 7009), as it is passed on to the library. */
export interface Revocation {
  readonly token: string;
  /** Ids that the request gives for the app that asks: of the body, the header and a signed assertion, not verified. */
  readonly clients: readonly string[];
  /** The body of the request, with the prefix `Bearer` or `DPoP` removed from the token. */
  readonly body: string;
}

/** Reads a request of revocation; null if it does not name exactly one token. */
export function revocationIn(body: string, authorization: string | undefined): Revocation | null {
  const form = new URLSearchParams(body);
  const [token, ...others] = form
    .getAll("token")
    .map((text) => text.replace(/^(bearer|dpop)\s+/i, "").trim());
  if (token === undefined || token === "" || others.length > 0) return null;
  form.set("token", token);
  const asserted = form.getAll("client_assertion").map(subjectOf);
  const clients = [basicUser(authorization), ...form.getAll("client_id"), ...asserted].filter(
    (id) => id !== null,
  );
  return { token, clients, body: form.toString() };
}

/** Returns the user of HTTP Basic authentication, form-encoded as RFC 6749 demands; null without one. */
function basicUser(authorization: string | undefined): string | null {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return null;
  const [user = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return new URLSearchParams(`user=${user}`).get("user");
}

/** Returns the subject of a JWT without verifying it; empty if it has none. */
function subjectOf(jwt: string): string {
  try {
    return String(JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8")).sub ?? "");
  } catch {
    return "";
  }
}
