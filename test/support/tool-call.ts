import { expect } from "vitest";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke, type RuntimePorts } from "../../src/kernel/invoke.ts";
import type { OutputOf, Tool } from "../../src/kernel/tool.ts";
import { pro } from "./context.ts";

/** Returns a function that calls a tool over these ports, some of which a call may replace. */
export const callerOf =
  <T extends Tool>(tool: T, ports: RuntimePorts, principal: Principal = pro) =>
  (input: unknown, over: Partial<Ports> = {}): Promise<OutputOf<T>> =>
    invoke(tool, input, { ports: { ...ports, ...over }, principal, transport: "test" });

/** Matches the error of one invalid field. Default: any detail. */
export const invalidField = (pointer: string, detail = "") => ({
  code: "INVALID_INPUT",
  data: { errors: [{ pointer, detail: expect.stringContaining(detail) }] },
});

/** Matches the error of an invalid field among others. */
export const invalidAmongOthers = (pointer: string) => ({
  code: "INVALID_INPUT",
  data: { errors: expect.arrayContaining([expect.objectContaining({ pointer })]) },
});
