import type { Context } from "hono";
import { DemoCard } from "../../domain/signal/card.ts";
import { asToolError } from "../../kernel/errors.ts";
import { invoke } from "../../kernel/invoke.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import type { CardResult } from "./home-card.tsx";

/** Calls the demo tool as a visitor without a key. */
export async function loadCard(
  { registry, ports, identify }: HttpServerDeps,
  c: Context<HttpEnv>,
): Promise<CardResult> {
  const tool = registry.tools.find(({ role }) => role === "demo");
  if (tool === undefined) return null;
  try {
    const principal = await identify(null, c.get("address"));
    const requestId = c.get("requestId");
    const call = { ports, principal, requestId, admitted: c.get("admitted"), transport: "web" };
    return DemoCard.parse(await invoke(tool, {}, call));
  } catch (thrown) {
    return asToolError(thrown);
  }
}
