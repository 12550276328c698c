import { createLog } from "../lib/log.ts";
import type { Config } from "./config.ts";

/** Opens the log of the settings. Throws SetupError if its file cannot be written. */
export const openLog = ({ LOG_LEVEL, LOG_FORMAT, LOG_FILE }: Config) =>
  createLog({ level: LOG_LEVEL, format: LOG_FORMAT, file: LOG_FILE });
