import { z } from "zod";
import { HIDDEN, lowerCaseList } from "./setting-values.ts";

const ADDRESS = '[^\\s@,;<>"]+@[a-z0-9-]+(\\.[a-z0-9-]+)*';
/** Settings of the mail that alerts are sent by. */
export const MAIL_SETTINGS = {
  SMTP_URL: z
    .string()
    .trim()
    .refine(
      (text) => /^smtps?:\/\/[!-~]+$/.test(text) && URL.canParse(text),
      "must be smtps://user:password@host or smtp://host:port",
    )
    .optional()
    .meta(HIDDEN)
    .describe(
      "Mail server for email alerts, such as smtps://user:password@mail.example.com. Default: no mail is sent",
    ),
  SMTP_FROM: z
    .string()
    .trim()
    .regex(new RegExp(`^${ADDRESS}$`, "i"), "must be one address, such as alerts@example.com")
    .optional()
    .describe("Sender of that mail"),
  SMTP_TO: z
    .string()
    .transform(lowerCaseList)
    .refine(
      (entries) =>
        entries.every((entry) => new RegExp(`^(${ADDRESS}|@[a-z0-9-]+(\\.[a-z0-9-]+)*)$`).test(entry)),
      "must be addresses such as ada@example.com or domains such as @example.com, separated by commas",
    )
    .default([])
    .describe("Addresses and domains (@example.com) that mail may be sent to, comma-separated"),
};
