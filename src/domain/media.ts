import { z } from "zod";

/** A picture (or other file) that a result carries as its `media`; each door shows it in its own way. */
export const Media = z.object({
  mime: z.string().describe("Media type, e.g. image/png"),
  base64: z.string().optional().describe("The file; left out where the door hands it over itself"),
  alt: z.string().describe("What it shows, in words"),
});

/** A file that is there. */
export interface HeldMedia {
  readonly mime: string;
  readonly base64: string;
  readonly alt: string;
}

/** The file of a result, null where it carries none. */
export function mediaIn({ media }: Readonly<Record<string, unknown>>): HeldMedia | null {
  const { data } = Media.safeParse(media);
  return data?.base64 === undefined ? null : { ...data, base64: data.base64 };
}

/** The result without the bytes of its file, which the door hands over beside it. */
export function withoutFile(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const media = mediaIn(result);
  return media === null ? { ...result } : { ...result, media: { mime: media.mime, alt: media.alt } };
}
