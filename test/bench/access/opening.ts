import { cpuUsage } from "node:process";

/** Returns the processor time of loading files, in milliseconds: a busy machine does not change it much. */
async function timeOf(load: () => Promise<unknown>): Promise<number> {
  const before = cpuUsage();
  await load();
  const { user, system } = cpuUsage(before);
  return (user + system) / 1_000;
}

// what every server loads besides
await import("../../../src/app/config.ts");
await import("../../../src/access/access.ts");
await import("../../../src/store/accounts/keyring.ts");
await import("../../../src/transports/http/middleware.ts");
await import("../../../src/transports/web/home.tsx");
await import("../../../src/transports/web/dashboard.ts");
await import("../../../src/transports/rest/rest.ts");
const start = await timeOf(async () => {
  await import("../../../src/app/sign-in.ts");
  await import("../../../src/store/accounts/people.ts");
  await import("../../../src/transports/web/session.ts");
  await import("../../../src/transports/web/sign-in.tsx");
  await import("../../../src/transports/web/identity.tsx");
});
const firstUse = await timeOf(() => import("../../../src/access/sign-in/better-auth.ts"));
console.log(JSON.stringify({ start, firstUse }));
