import { readFileSync } from "node:fs";
import fastify from "fastify";

// Bare Fastify handlers that return the response of each path in a JSON file, serialised with compiled schemas.
const answers: Record<string, object> = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const app = fastify();
for (const [path, answer] of Object.entries(answers))
  app.get(path, { schema: { response: { 200: schemaOf(answer) } } }, async () => answer);
const url = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ url })}\n`);

/** Returns a JSON schema of a value; the first item of a list stands for all. */
function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: "array", ...(value.length > 0 && { items: schemaOf(value[0]) }) };
  if (typeof value !== "object" || value === null) return value === null ? {} : { type: typeof value };
  const fields = Object.entries(value).map(([name, field]) => [name, schemaOf(field)]);
  return { type: "object", properties: Object.fromEntries(fields) };
}
