/** What is measured of each client. */
export const OPERATIONS = ["list", "call", "picture", "error", "cancel", "progress"] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface MeasuredClient {
  readonly title: string;
  /** File in drivers/ without `.mjs`. */
  readonly driver: string;
  /** Packages whose versions are measured. */
  readonly packages: readonly string[];
  readonly transports: readonly string[];
  /** Operations that these versions of the packages do not have, and why. */
  readonly notOffered?: Partial<Record<Operation, string>>;
}

const MCP_TRANSPORTS = ["Streamable HTTP", "SSE", "stdio"] as const;

/** Client libraries of the matrix in docs/clients.md. */
export const CLIENTS: readonly MeasuredClient[] = [
  {
    title: "MCP TypeScript SDK v1",
    driver: "sdk-v1",
    packages: ["@modelcontextprotocol/sdk"],
    transports: MCP_TRANSPORTS,
  },
  {
    title: "MCP TypeScript SDK v2",
    driver: "sdk-v2",
    packages: ["@modelcontextprotocol/client"],
    transports: [
      "Streamable HTTP, 2026-07-28",
      "Streamable HTTP, 2025-11-25",
      "SSE",
      "stdio, 2026-07-28",
      "stdio, 2025-11-25",
    ],
  },
];
