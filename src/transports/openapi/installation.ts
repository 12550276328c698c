import { PAGE_KEY_SCOPES } from "../../domain/installation/installation-port.ts";
import { INSTALLATION_PATH } from "../rest/installation.ts";
import { problemRefs } from "./parts.ts";

const pathParameter = (name: string, description: string) => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
});

const listOf = (name: string) => ({
  type: "object",
  properties: { [name]: { type: "array", items: { type: "object" } } },
});
const OBJECT = { type: "object" } as const;
const KEY_BODY = {
  type: "object",
  properties: {
    name: { type: "string", maxLength: 60 },
    scopes: { type: "array", items: { type: "string", enum: PAGE_KEY_SCOPES } },
  },
  required: ["name"],
};
const BACKUP_BODY = { type: "object", properties: { with_keys: { type: "boolean", default: false } } };

interface Details {
  readonly schema?: object;
  readonly mime?: string;
  readonly body?: object;
  readonly parameter?: object;
}

/** Describes an operation of the owner. */
const operation = (
  operationId: string,
  summary: string,
  description: string,
  { schema = OBJECT, mime = "application/json", body, parameter }: Details = {},
) => ({
  operationId,
  summary,
  description,
  tags: ["system"],
  "x-plan": "member",
  "x-scope": "admin",
  ...(parameter !== undefined && { parameters: [parameter] }),
  ...(body !== undefined && {
    requestBody: { required: false, content: { "application/json": { schema: body } } },
  }),
  responses: { 200: { description: "OK", content: { [mime]: { schema } } }, ...problemRefs() },
});

/** Returns the paths of the installation, for the owner's browser and admin keys, with their operations. */
export function installationPaths(): Readonly<Record<string, Readonly<Record<string, object>>>> {
  const at = (name: string) => `${INSTALLATION_PATH}/${name}`;
  return {
    [at("keys")]: {
      get: operation(
        "list_owner_keys",
        "List keys",
        "Lists the keys of the owner with their last use and calls of today, without their text.",
        { schema: listOf("keys") },
      ),
      post: operation(
        "create_owner_key",
        "Create key",
        "Creates a key with the scope read, and optionally trade:paper. Its text is returned once.",
        { body: KEY_BODY },
      ),
    },
    [at("keys/{id}")]: {
      delete: operation(
        "revoke_owner_key",
        "Revoke key",
        "Revokes a key that has no scope but read and trade:paper.",
        { parameter: pathParameter("id", "Id of the key") },
      ),
    },
    [at("providers")]: {
      get: operation(
        "list_providers",
        "List providers",
        "Lists data providers with settings, health, latency and calls left.",
        { schema: listOf("providers") },
      ),
    },
    [at("runs")]: {
      get: operation("list_runs", "List nightly runs", "Lists the newest 30 nightly runs.", {
        schema: listOf("runs"),
      }),
    },
    [at("backups")]: {
      get: operation(
        "list_backups",
        "List backups",
        "Lists the backups in the data folder, each with the command that restores it.",
        { schema: listOf("backups") },
      ),
      post: operation(
        "create_backup",
        "Create backup",
        "Writes a verified backup now, with the keys only under BACKUP_PASSPHRASE.",
        { body: BACKUP_BODY },
      ),
    },
    [at("backups/{name}")]: {
      get: operation("download_backup", "Download backup", "Returns the file of a backup.", {
        parameter: pathParameter("name", "Name of a listed backup"),
        mime: "application/octet-stream",
        schema: { type: "string", format: "binary" },
      }),
    },
    [at("log")]: {
      get: operation("read_log", "Read log", "Returns the newest 200 lines of the log of the server.", {
        schema: listOf("lines"),
      }),
    },
    [at("settings")]: {
      get: operation(
        "list_settings",
        "List settings",
        "Lists the settings in force with their source; secrets only as set.",
        { schema: listOf("settings") },
      ),
    },
  };
}
