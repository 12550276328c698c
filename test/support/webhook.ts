import { signatureHeaders } from "../../src/lib/webhook-signature.ts";

/** Returns true if the headers of a message contain a valid signature of its id, time and body with this secret. */
export function isSigned(
  { headers, body }: { readonly headers: object; readonly body: string },
  secret: string,
  now = new Date(),
): boolean {
  const { "webhook-id": id, ...sent } = headers as ReturnType<typeof signatureHeaders>;
  const at = new Date(1_000 * Number(sent["webhook-timestamp"]));
  const isRecent = Math.abs(now.getTime() - at.getTime()) <= 300_000;
  return (
    isRecent && signatureHeaders({ id, at, body }, secret)["webhook-signature"] === sent["webhook-signature"]
  );
}
